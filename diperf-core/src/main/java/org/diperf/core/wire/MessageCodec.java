package org.diperf.core.wire;

import java.util.List;

/** Which kinds of message there are, and how each lies in a frame. A type's number is never given to another kind. */
final class MessageCodec {

    /** Their numbers on the wire are their places here, from 1. */
    private static final List<Class<? extends Message>> TYPES = List.of(
            Message.Hello.class,
            Message.Ready.class,
            Message.Refused.class,
            Message.Pong.class,
            Message.Block.class,
            Message.Status.class,
            Message.Finished.class,
            Message.Log.class,
            Message.Welcome.class,
            Message.RejectedHello.class,
            Message.Assign.class,
            Message.Start.class,
            Message.Ping.class,
            Message.Ack.class,
            Message.Stop.class,
            Message.Bye.class,
            Message.Append.class,
            Message.Exchanges.class,
            Message.Enrol.class,
            Message.Enrolled.class);

    private static final List<Layout<Message>> LAYOUTS =
            TYPES.stream().map(MessageCodec::layout).toList();

    private MessageCodec() {}

    @SuppressWarnings("unchecked") // A message is written by the layout of its own type.
    private static Layout<Message> layout(Class<? extends Message> type) {
        return (Layout<Message>) (type == Message.Block.class ? new Block() : Layout.of(type));
    }

    /** A block takes the rest of its frame, and is not looked into. */
    private static final class Block extends Layout<Message.Block> {

        @Override
        void write(Message.Block block, WireOutput out) {
            out.raw(block.data());
        }

        @Override
        Message.Block read(WireInput in) {
            return new Message.Block(in.rest());
        }

        @Override
        public String toString() {
            return "Block(rest)";
        }
    }

    /** Returns the number of a type of message, from 1. */
    static int typeOf(Class<? extends Message> message) {
        return TYPES.indexOf(message) + 1;
    }

    static void write(Message message, WireOutput out) {
        LAYOUTS.get(typeOf(message.getClass()) - 1).write(message, out);
    }

    static Message read(int type, WireInput in) throws WireException {
        if (type < 1 || type > TYPES.size()) {
            throw new WireException("Expected a valid message of type 1 to " + TYPES.size() + " of wire version "
                    + Frame.VERSION + ", got type " + type);
        }
        return LAYOUTS.get(type - 1).read(in);
    }

    /** Says how all kinds of message lie on the wire, one a line. */
    static String layouts() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < TYPES.size(); i++) {
            lines.append(i + 1).append(' ').append(LAYOUTS.get(i)).append('\n');
        }
        return lines.toString();
    }
}

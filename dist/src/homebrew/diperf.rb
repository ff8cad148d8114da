class Diperf < Formula
  desc "Measures a networked service the way its users meet it"
  homepage "@HOME@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    url "@FROM@/diperf-@VERSION@.jar"
    sha256 "@JAR@"
    depends_on "openjdk@21"
  end

  on_linux do
    on_intel do
      url "@FROM@/diperf-@VERSION@-linux-x86_64.tar.gz"
      sha256 "@X86_64@"
    end
    on_arm do
      url "@FROM@/diperf-@VERSION@-linux-aarch64.tar.gz"
      sha256 "@AARCH64@"
    end
  end

  def install
    if OS.mac?
      libexec.install "diperf-#{version}.jar" => "diperf.jar"
      bin.write_jar_script libexec/"diperf.jar", "diperf", java_version: "21"
    else
      libexec.install Dir["*"]
      bin.install_symlink libexec/"bin/diperf"
    end
    generate_completions_from_executable(bin/"diperf", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/diperf --version")
  end
end

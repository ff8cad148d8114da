package org.diperf.plugins.web;

import org.diperf.core.contract.StarterPluginContract;
import org.diperf.core.spi.StarterPlugin;

class CurlStarterContractTests extends StarterPluginContract {

    @Override
    protected StarterPlugin plugin() {
        return new CurlStarter();
    }

    @Override
    protected String usable() {
        return "curl https://shop.example/orders -d item=7";
    }

    @Override
    protected String unusable() {
        return "curl";
    }
}

// DePay's widget as its documentation embeds it ("Unmanaged Configuration"): two tokens are accepted, and the dialog
// opens immediately.

import DePayWidgets from "@depay/widgets";

DePayWidgets.Payment({
  accept: [
    { blockchain: "ethereum", amount: 25, token: "0xdac17f958d2ee523a2206206994597c13d831ec7", receiver: "0x4e260bB2b25EC6F3A59B478fCDe5eD5B8D783B02" },
    { blockchain: "bsc", amount: 25, token: "0x55d398326f99059fF775485246999027B3197955", receiver: "0x552C2a5a774CcaEeC036d41c983808E3c76477e6" },
  ],
});

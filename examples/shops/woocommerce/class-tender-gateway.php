<?php
declare(strict_types=1);

/** Sends the buyer to the payment page, and marks the order as paid when the proxy says so. */
class Tender_Gateway extends WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = 'tender';
        $this->method_title = 'Tender';
        $this->method_description = 'Buyers pay in crypto on the payment page of your Tender proxy.';
        $this->title = 'Crypto';
        $this->has_fields = false;
        $this->form_fields = [
            'enabled' => ['title' => 'Enabled', 'type' => 'checkbox', 'default' => 'no'],
            'proxy' => ['title' => 'Address of the proxy', 'type' => 'url'],
            'order_key' => ['title' => 'Order key of the proxy (KID=SECRET)', 'type' => 'password'],
            'notify_secret' => ['title' => 'Secret of notifications (whsec_...)', 'type' => 'password'],
            'test_mode' => ['title' => 'Take payments of test mode', 'type' => 'checkbox', 'default' => 'no'],
        ];
        $this->init_settings();
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    public function is_available(): bool
    {
        try {
            Tender\order_key($this->get_option('order_key'));
        } catch (RuntimeException) {
            return false;
        }
        return parent::is_available() && get_woocommerce_currency() === 'USDT';
    }

    /** @return array{result: string, redirect: string} */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        $claims = [
            'token' => 'usdtt',
            'quantity' => self::decimal((string) $order->get_total()),
            'invoiceNumber' => "WC-$order_id",
            'returnUrl' => $this->get_return_url($order),
            'purchaseEmail' => $order->get_billing_email(),
        ];
        $signed = Tender\sign_order(array_filter($claims), $this->get_option('order_key'));
        $proxy = untrailingslashit($this->get_option('proxy'));
        return ['result' => 'success', 'redirect' => "$proxy/pay?order=$signed"];
    }

    /**
     * Takes the body of a verified notification, and returns the status of the response. Repeats change nothing, and what a
     * program can't decide becomes a note for a person.
     */
    public function receive_notification(string $body): int
    {
        $event = json_decode($body, true);
        $payment = $event['data'] ?? [];
        if (($event['type'] ?? '') !== 'payment.paid' || ($payment['state'] ?? '') !== 'paid') {
            return 204;
        }
        if (isset($payment['testMode']) && $this->get_option('test_mode') !== 'yes') {
            return $this->log("payment {$payment['transactionId']} is of a proxy in test mode");
        }
        // What was signed in `process_payment`; missing for an order that nobody signed.
        if (!preg_match('/^WC-(\d+)$/', $payment['order']['invoiceNumber'] ?? '', $match)) {
            return $this->log("payment {$payment['transactionId']} is of no order signed here");
        }
        global $wpdb;
        // Two requests at the same moment must not both find an unpaid order. The lock ends with the request.
        $lock = $wpdb->prepare('SELECT GET_LOCK(%s, 10)', "tender_order_$match[1]");
        if ($wpdb->get_var($lock) !== '1') {
            return 503;
        }
        $order = wc_get_order((int) $match[1]);
        return $order ? $this->pay($order, $payment) : $this->log("order $match[1] does not exist");
    }

    private function pay(WC_Order $order, array $payment): int
    {
        $id = $payment['transactionId'];
        if ($order->is_paid()) {
            if ($order->get_transaction_id() !== $id) {
                $order->add_order_note("Refund it: $id is a second payment of this order.");
            }
        } elseif (!$order->needs_payment()) {
            $order->add_order_note("Refund it, or sell it again: $id was paid after the order was cancelled.");
        } elseif (
            $payment['order']['token'] !== 'usdtt'
            || $payment['order']['quantity'] !== self::decimal((string) $order->get_total())
        ) {
            $order->add_order_note("Look at it: $id is of another amount.");
        } else {
            $order->payment_complete($id);
        }
        return 204;
    }

    private function log(string $message): int
    {
        wc_get_logger()->warning($message, ['source' => $this->id]);
        return 204;
    }

    /** The same amount without zeros at its end. */
    private static function decimal(string $amount): string
    {
        return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
    }
}

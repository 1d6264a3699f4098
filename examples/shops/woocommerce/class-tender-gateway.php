<?php
declare(strict_types=1);

/** Sends the buyer to the payment page, and marks the order as paid when the proxy says so. */
class Tender_Gateway extends WC_Payment_Gateway
{
    /** The order's field with the invoice number that was signed for it. */
    private const INVOICE = '_tender_invoice';

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
            Tender\notify_key($this->get_option('notify_secret'));
        } catch (RuntimeException) {
            return false;
        }
        return parent::is_available() && get_woocommerce_currency() === 'USDT';
    }

    /** @return array{result: string, redirect: string} */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        // An older order, or that of another plugin.
        if ($order->get_currency() !== 'USDT') {
            wc_add_notice('This order is not in USDT, so it can\'t be paid in crypto.', 'error');
            return ['result' => 'failure', 'redirect' => ''];
        }
        $invoice = 'WC-' . self::site_key() . "-$order_id";
        $order->update_meta_data(self::INVOICE, $invoice);
        $order->save();
        $claims = [
            'token' => 'usdtt',
            'quantity' => self::decimal((string) $order->get_total()),
            'invoiceNumber' => $invoice,
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
        $event = Tender\event($body);
        $payment = $event['data'] ?? [];
        if (($event['type'] ?? '') !== 'payment.paid' || ($payment['state'] ?? '') !== 'paid') {
            return 204;
        }
        if (isset($payment['testMode']) && $this->get_option('test_mode') !== 'yes') {
            return $this->log("payment {$payment['transactionId']} is of a proxy in test mode");
        }
        // What was signed in `process_payment`; missing for an order that nobody signed.
        $invoice = $payment['order']['invoiceNumber'] ?? '';
        preg_match('/^WC-[0-9a-f]+-(\d+)$/D', $invoice, $match);
        $id = (int) ($match[1] ?? 0);
        global $wpdb;
        // Two requests at the same moment must not both find an unpaid order. The lock ends with the request.
        $lock = $wpdb->prepare('SELECT GET_LOCK(%s, 10)', "tender_order_$id");
        if ($wpdb->get_var($lock) !== '1') {
            return 503;
        }
        $order = wc_get_order($id);
        // Another shop with this proxy may have an order with the same id.
        if (!$order || $order->get_meta(self::INVOICE) !== $invoice) {
            return $this->log("payment {$payment['transactionId']} is of no order signed here");
        }
        return $this->pay($order, $payment);
    }

    private function pay(WC_Order $order, array $payment): int
    {
        $id = $payment['transactionId'];
        if ($order->is_paid()) {
            if ($order->get_transaction_id() !== $id) {
                self::note($order, $id, "Refund it: $id is a second payment of this order.");
            }
        } elseif (!$order->needs_payment()) {
            self::note($order, $id, "Refund it, or sell it again: $id was paid after the order was cancelled.");
        } elseif (
            $order->get_currency() !== 'USDT'
            || $payment['order']['token'] !== 'usdtt'
            || $payment['order']['quantity'] !== self::decimal((string) $order->get_total())
            || isset($payment['order']['itemNumber']) // with "0", the payer has chosen the amount
        ) {
            self::note($order, $id, "Look at it: $id is of another amount.");
        } elseif (!$order->payment_complete($id)) {
            // WooCommerce has logged why. The proxy sends it again.
            return 500;
        }
        return 204;
    }

    /** Adds a note about a payment, the first time. */
    private static function note(WC_Order $order, string $id, string $text): void
    {
        if ($order->get_meta("_tender_note_$id") === '') {
            $order->add_order_note($text);
            $order->update_meta_data("_tender_note_$id", $text);
            $order->save();
        }
    }

    /**
     * Differs for each site: several may use one proxy, such as a shop and its copy for tests, and all count their orders from 1. It is
     * created once, and again in a copy at another address.
     */
    private static function site_key(): string
    {
        $home = get_option('home');
        $site = get_option('tender_site');
        if (($site['home'] ?? null) !== $home) {
            $site = ['home' => $home, 'key' => bin2hex(random_bytes(8))];
            update_option('tender_site', $site);
        }
        return $site['key'];
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

<?php
// Tests the gateway with stand-ins for the parts of WordPress and WooCommerce that it calls.
declare(strict_types=1);

require __DIR__ . '/tender.php';

class WC_Payment_Gateway
{
    public string $id;
    public string $title;
    public string $method_title;
    public string $method_description;
    public bool $has_fields;
    public array $form_fields;
    public array $settings = [];

    public function init_settings(): void
    {
        $this->settings = [
            'enabled' => 'yes',
            'proxy' => 'https://pay.shop.example/',
            'order_key' => 'test=an order key of the tests, 32 characters',
            'notify_secret' => 'whsec_dGhlIG5vdGlmeSBzZWNyZXQ=',
            'test_mode' => 'no',
        ];
    }

    public function get_option(string $name): string
    {
        return $this->settings[$name];
    }

    public function process_admin_options(): void
    {
    }

    public function is_available(): bool
    {
        return $this->settings['enabled'] === 'yes';
    }

    public function get_return_url(WC_Order $order): string
    {
        return "https://shop.example/received/$order->id";
    }
}

class WC_Order
{
    public string $status = 'pending';
    public string $transaction_id = '';
    public array $notes = [];

    public function __construct(public int $id, private string $total, private string $email)
    {
    }

    public function get_total(): string
    {
        return $this->total;
    }

    public function get_billing_email(): string
    {
        return $this->email;
    }

    public function is_paid(): bool
    {
        return in_array($this->status, ['processing', 'completed'], true);
    }

    public function needs_payment(): bool
    {
        return in_array($this->status, ['pending', 'failed'], true);
    }

    public function get_transaction_id(): string
    {
        return $this->transaction_id;
    }

    public function add_order_note(string $note): void
    {
        $this->notes[] = $note;
    }

    public function payment_complete(string $transaction_id): void
    {
        assert($this->needs_payment());
        [$this->status, $this->transaction_id] = ['processing', $transaction_id];
    }
}

$wpdb = new class () {
    public string $lock = '1';

    public function prepare(string $statement, string $value): string
    {
        return str_replace('%s', "'$value'", $statement);
    }

    public function get_var(string $statement): string
    {
        assert($statement === "SELECT GET_LOCK('tender_order_7', 10)" || str_contains($statement, 'tender_order_8'));
        return $this->lock;
    }
};

$currency = 'USDT';
$orders = [];
$log = [];

function add_action(string $hook, callable $callback): void
{
}

function get_woocommerce_currency(): string
{
    return $GLOBALS['currency'];
}

function untrailingslashit(string $text): string
{
    return rtrim($text, '/');
}

function wc_get_order(int $id): WC_Order|false
{
    return $GLOBALS['orders'][$id] ?? false;
}

function wc_get_logger(): object
{
    return new class () {
        public function warning(string $message, array $context): void
        {
            $GLOBALS['log'][] = $message;
        }
    };
}

require __DIR__ . '/class-tender-gateway.php';

function equal(mixed $actual, mixed $expected): void
{
    if ($actual !== $expected) {
        $caller = debug_backtrace()[0]['line'];
        fwrite(STDERR, "line $caller: " . json_encode($actual) . ' is not ' . json_encode($expected) . "\n");
        exit(1);
    }
}

/** A pending order of 48.50 USDT. */
function order(string $email = 'buyer@example.com'): WC_Order
{
    return $GLOBALS['orders'][7] = new WC_Order(7, '48.50', $email);
}

/** The body of a notification that the order is paid, with these replacements. */
function paid(array $replacements = []): string
{
    $body = '{"type":"payment.paid","data":{"transactionId":"t-1","invoiceNumber":"WC-7","token":"USDT","quantity":48.50,'
        . '"state":"paid","order":{"token":"usdtt","quantity":"48.5","invoiceNumber":"WC-7"}}}';
    return strtr($body, $replacements);
}

function claims(array $payment): array
{
    equal($payment['result'], 'success');
    [$page, $order] = explode('?order=', $payment['redirect']);
    equal($page, 'https://pay.shop.example/pay');
    [, $claims] = explode('.', $order);
    return json_decode(base64_decode(strtr($claims, '-_', '+/')), true);
}

$gateway = new Tender_Gateway();

equal($gateway->is_available(), true);
$currency = 'USD';
equal($gateway->is_available(), false);
$currency = 'USDT';
$order_key = $gateway->settings['order_key'];
foreach (['', 'an order key of the tests, without a kid', 'test=too short'] as $unusable) {
    $gateway->settings['order_key'] = $unusable;
    equal($gateway->is_available(), false);
}
$gateway->settings['order_key'] = $order_key;

order();
$claims = claims($gateway->process_payment(7));
equal($claims['exp'] > time() + 3500, true);
unset($claims['exp']);
equal($claims, [
    'token' => 'usdtt',
    'quantity' => '48.5',
    'invoiceNumber' => 'WC-7',
    'returnUrl' => 'https://shop.example/received/7',
    'purchaseEmail' => 'buyer@example.com',
]);
order('');
equal(isset(claims($gateway->process_payment(7))['purchaseEmail']), false);

// Paid once, however often it is sent.
$order = order();
foreach ([1, 2] as $_) {
    equal($gateway->receive_notification(paid()), 204);
    equal([$order->status, $order->transaction_id, $order->notes], ['processing', 't-1', []]);
}
equal($gateway->receive_notification(paid(['t-1' => 't-2'])), 204);
equal([$order->transaction_id, count($order->notes)], ['t-1', 1]);

// Not paid, or not what was sold.
foreach (
    [
        [['payment.paid' => 'payment.updated'], 0],
        [['payment.paid' => 'payment.underpaid'], 0],
        [['"state":"paid"' => '"state":"pending"'], 0],
        [['"state":"paid"' => '"state":"open"'], 0],
        [['"48.5"' => '"48.49"'], 1],
        [['"48.5"' => '"48.500000000000000001"'], 1],
        [['usdtt' => 'kxp'], 1],
    ] as [$replacements, $notes]
) {
    $order = order();
    equal($gateway->receive_notification(paid($replacements)), 204);
    equal([$order->status, count($order->notes)], ['pending', $notes]);
}
$order = order();
$order->status = 'cancelled';
equal($gateway->receive_notification(paid()), 204);
equal([$order->status, count($order->notes)], ['cancelled', 1]);

// Of no order, of none that was signed, or in test mode.
$order = order();
$test_mode = ['"state"' => '"testMode":true,"state"'];
foreach (
    [['WC-7"}' => 'WC-8"}'], ['WC-7"}' => 'INV-7"}'], ['WC-7"}' => '7"}'], ['"order"' => '"other"'], $test_mode] as $replacements
) {
    equal($gateway->receive_notification(paid($replacements)), 204);
}
equal([count($log), $order->status], [5, 'pending']);
$gateway->settings['test_mode'] = 'yes';
equal([$gateway->receive_notification(paid($test_mode)), $order->status], [204, 'processing']);

// Another request has the order: the proxy sends it again.
$order = order();
$wpdb->lock = '0';
equal($gateway->receive_notification(paid()), 503);
equal($order->status, 'pending');

echo "all passed\n";

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
            'notify_secret' => 'whsec_dGhlIHNlY3JldCBvZiBub3RpZmljYXRpb25z',
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
    public string $currency = 'USDT';
    public string $transaction_id = '';
    public bool $can_complete = true;
    public array $notes = [];
    private array $meta = [];

    public function __construct(public int $id, private string $total, private string $email)
    {
    }

    public function get_total(): string
    {
        return $this->total;
    }

    public function get_currency(): string
    {
        return $this->currency;
    }

    public function get_meta(string $name): string
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, string $value): void
    {
        $this->meta[$name] = $value;
    }

    public function save(): void
    {
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

    public function payment_complete(string $transaction_id): bool
    {
        assert($this->needs_payment());
        if ($this->can_complete) {
            [$this->status, $this->transaction_id] = ['processing', $transaction_id];
        }
        return $this->can_complete;
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
        assert(preg_match("/^SELECT GET_LOCK\('tender_order_[078]', 10\)$/D", $statement));
        return $this->lock;
    }
};

$currency = 'USDT';
$orders = [];
$options = ['home' => 'https://shop.example'];
$notices = [];
$log = [];

function add_action(string $hook, callable $callback): void
{
}

function get_woocommerce_currency(): string
{
    return $GLOBALS['currency'];
}

function get_option(string $name): mixed
{
    return $GLOBALS['options'][$name] ?? false;
}

function update_option(string $name, mixed $value): void
{
    $GLOBALS['options'][$name] = $value;
}

function wc_add_notice(string $text, string $kind): void
{
    $GLOBALS['notices'][] = "$kind: $text";
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

/** A pending order of 48.50 USDT, which was signed. */
function order(string $email = 'buyer@example.com'): WC_Order
{
    $order = $GLOBALS['orders'][7] = new WC_Order(7, '48.50', $email);
    $GLOBALS['gateway']->process_payment(7);
    return $order;
}

/** The invoice number of this order in this shop. */
function invoice(int $id): string
{
    return "WC-{$GLOBALS['options']['tender_site']['key']}-$id";
}

/** The body of a notification that the order is paid, with these replacements. */
function paid(array $replacements = []): string
{
    $body = '{"type":"payment.paid","data":{"transactionId":"t-1","invoiceNumber":"WC-7","token":"USDT","quantity":48.50,'
        . '"state":"paid","order":{"token":"usdtt","quantity":"48.5","invoiceNumber":"WC-7"}}}';
    return strtr(strtr($body, $replacements), ['"WC-7"}' => '"' . invoice(7) . '"}']);
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

foreach (['', 'whsec_', 'whsec_dG9vIHNob3J0'] as $unusable) {
    $gateway->settings['notify_secret'] = $unusable;
    equal($gateway->is_available(), false);
}
$gateway->init_settings();

order();
$claims = claims($gateway->process_payment(7));
equal($claims['exp'] > time() + 3500, true);
unset($claims['exp']);
equal($claims, [
    'token' => 'usdtt',
    'quantity' => '48.5',
    'invoiceNumber' => invoice(7),
    'returnUrl' => 'https://shop.example/received/7',
    'purchaseEmail' => 'buyer@example.com',
]);
equal(claims($gateway->process_payment(7))['invoiceNumber'], invoice(7));
// A copy at another address has other numbers.
$site = $options['tender_site'];
$options['home'] = 'https://copy.shop.example';
$copied = claims($gateway->process_payment(7))['invoiceNumber'];
equal([preg_match('/^WC-[0-9a-f]{16}-7$/D', $copied), $copied === "WC-$site[key]-7"], [1, false]);
[$options['home'], $options['tender_site']] = ['https://shop.example', $site];

// An order in another currency is not charged as USDT, and not paid by USDT.
order()->currency = 'USD';
equal($gateway->process_payment(7)['result'], 'failure');
equal(count($notices), 1);
equal($gateway->receive_notification(paid()), 204);
equal([$orders[7]->status, count($orders[7]->notes)], ['pending', 1]);

order('');
equal(isset(claims($gateway->process_payment(7))['purchaseEmail']), false);

// Paid once, however often it is sent.
$order = order();
foreach ([1, 2] as $_) {
    equal($gateway->receive_notification(paid()), 204);
    equal([$order->status, $order->transaction_id, $order->notes], ['processing', 't-1', []]);
}
foreach ([1, 2] as $_) {
    equal($gateway->receive_notification(paid(['t-1' => 't-2'])), 204);
    equal([$order->transaction_id, count($order->notes)], ['t-1', 1]);
}

// WooCommerce could not complete it: the proxy sends it again.
$order = order();
$order->can_complete = false;
equal([$gateway->receive_notification(paid()), $order->status], [500, 'pending']);
$order->can_complete = true;
equal([$gateway->receive_notification(paid()), $order->status], [204, 'processing']);

// Texts that PHP refuses.
$order = order();
$odd = ['"data":{' => '"data":{"\ud800":"\\\\\u0000\udc00",'];
equal([$gateway->receive_notification(paid($odd)), $order->status], [204, 'processing']);

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
        [['"48.5",' => '"48.5","itemNumber":"0",'], 1],
    ] as [$replacements, $notes]
) {
    $order = order();
    foreach ([1, 2] as $_) {
        equal($gateway->receive_notification(paid($replacements)), 204);
        equal([$order->status, count($order->notes)], ['pending', $notes]);
    }
}
$order = order();
$order->status = 'cancelled';
equal($gateway->receive_notification(paid()), 204);
equal([$order->status, count($order->notes)], ['cancelled', 1]);

// Of no order, of none that was signed, or in test mode.
$order = order();
$test_mode = ['"state"' => '"testMode":true,"state"'];
foreach (
    [
        ['"WC-7"}' => '"' . invoice(8) . '"}'],
        ['"WC-7"}' => '"WC-0123456789abcdef-7"}'],
        ['"WC-7"}' => '"WC-7" }'],
        ['"WC-7"}' => '"INV-7"}'],
        ['"order"' => '"other"'],
        $test_mode,
    ] as $replacements
) {
    equal($gateway->receive_notification(paid($replacements)), 204);
}
equal([count($log), $order->status], [6, 'pending']);
$gateway->settings['test_mode'] = 'yes';
equal([$gateway->receive_notification(paid($test_mode)), $order->status], [204, 'processing']);

// Another request has the order: the proxy sends it again.
$order = order();
$wpdb->lock = '0';
equal($gateway->receive_notification(paid()), 503);
equal($order->status, 'pending');

echo "all passed\n";

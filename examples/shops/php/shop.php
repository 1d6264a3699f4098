<?php
// An example shop: docs/shops.md says how to run it.
declare(strict_types=1);

require 'form.php';
require 'tender.php';

// A warning in the response would be sent with the status 200.
ini_set('display_errors', '0');

const PRICE = '48.50';
[$origin, $proxy] = array_map('origin', ['ORIGIN', 'PROXY']);
$logos = setting('LOGOS');
// PHP starts with each request: without its keys, the shop serves nothing.
$order_key = (string) getenv('ORDER_KEY');
Tender\order_key($order_key);
$notify_secret = (string) getenv('NOTIFY_SECRET');
Tender\notify_key($notify_secret);

$nonce = bin2hex(random_bytes(16));
header('Cache-Control: no-store');
header("Content-Security-Policy: default-src 'none'; script-src $proxy 'wasm-unsafe-eval'; connect-src $proxy; "
    . "img-src $logos; style-src 'nonce-$nonce'; form-action $proxy; base-uri 'none'; frame-ancestors 'none'");

function respond(int $status, string $text = ''): never
{
    http_response_code($status);
    header('Content-Type: text/plain; charset=utf-8');
    exit($text);
}

/** Anyone can sign with an empty secret. */
function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("set $name");
}

/** Paths are appended to it. */
function origin(string $name): string
{
    $is_origin = preg_match('~^https?://[^/]+$~D', setting($name));
    return $is_origin ? setting($name) : throw new RuntimeException("set $name to an origin such as https://shop.example");
}

/** The first row; null if there is none. */
function query(string $statement, array $values): ?array
{
    $database = pg_connect(setting('DATABASE_URL')) ?: respond(500);
    $result = pg_query_params($database, $statement, $values) ?: respond(500);
    return pg_fetch_assoc($result) ?: null;
}

function html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

$route = $_SERVER['REQUEST_METHOD'] . ' ' . explode('?', $_SERVER['REQUEST_URI'])[0];
if ($route === 'POST /notifications') {
    // ANCHOR: notifications
    try {
        $body = Tender\verified_body($notify_secret);
    } catch (Tender\Refused $refused) {
        error_log("notification refused: {$refused->getMessage()}");
        respond($refused->getCode(), $refused->getMessage());
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'];
    $allow_test_mode = getenv('ALLOW_TEST_MODE') === 'true' ? 'true' : 'false';
    $row = query('SELECT receive_notification($1, $2, $3) AS question', [$id, $body, $allow_test_mode]);
    if ($row['question'] !== null) {
        error_log("notification $id needs a person: {$row['question']}");
    }
    respond(204);
    // ANCHOR_END: notifications
} elseif ($route === 'GET /') {
    // A real shop creates the order from the buyer's basket.
    $invoice = 'INV-' . bin2hex(random_bytes(16));
    $row = [$invoice, 'usdtt', PRICE];
    query("INSERT INTO orders (invoice_number, token, quantity, valid_until)
        VALUES ($1, $2, $3, now() + interval '1 hour')", $row);
    $claims = ['token' => 'usdtt', 'quantity' => PRICE, 'invoiceNumber' => $invoice,
        'returnUrl' => "$origin/orders/$invoice"];
    $order = Tender\sign_order($claims, $order_key);
    $fields = ['token' => 'usdtt', 'quantity' => PRICE, 'locale' => 'en'];
    $cache = __DIR__ . '/cache';
    is_dir($cache) || mkdir($cache, 0700);
    $template = Tender\checkout_template($proxy, $order, $fields, $nonce, $cache);
} elseif (preg_match('#^GET /orders/([\w-]+)$#D', $route, $match)) {
    // Without texts that PostgreSQL refuses, and NUL, which it would not see.
    $invoice = $match[1];
    $row = query('SELECT paid_by FROM orders WHERE invoice_number = $1', [$invoice]) ?? respond(404);
    $is_paid = $row['paid_by'] !== null;
    if (!$is_paid) {
        header('Refresh: 3');
    }
} else {
    respond(404);
}
?>
<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
<?php if (isset($order)): ?>
  <title>Checkout</title>
  <h1>One mug, <?= PRICE ?> USDT</h1>
  <tender-checkout proxy="<?= html($proxy) ?>" order="<?= html($order) ?>">
    <?= $template . "\n" ?>
    <a href="<?= html("$proxy/pay?order=$order") ?>">Pay without JavaScript</a>
  </tender-checkout>
  <script src="<?= html($proxy) ?>/v1/checkout.js" async></script>
  <p><a href="/orders/<?= html($invoice) ?>">Your order</a></p>
<?php else: ?>
  <title>Order <?= html($invoice) ?></title>
  <h1><?= $is_paid ? 'Paid' : 'Waiting for payment' ?></h1>
  <p>Order <?= html($invoice) ?></p>
<?php endif ?>
</html>

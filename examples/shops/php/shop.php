<?php
// An example shop: docs/shops.md says how to run it.
declare(strict_types=1);

require 'form.php';
require 'tender.php';

// A warning in the response would be sent with the status 200.
ini_set('display_errors', '0');

const PRICE = '48.50';
[$origin, $proxy, $logos] = array_map('setting', ['ORIGIN', 'PROXY', 'LOGOS']);
// PHP starts with each request: without a key, the shop serves nothing.
$order_key = (string) getenv('ORDER_KEY');
Tender\order_key($order_key);

$nonce = bin2hex(random_bytes(16));
header('Cache-Control: no-store');
header("Content-Security-Policy: default-src 'none'; script-src $proxy 'wasm-unsafe-eval'; connect-src $proxy; "
    . "img-src $logos; style-src 'nonce-$nonce'; form-action $proxy; base-uri 'none'; frame-ancestors 'none'");

function respond(int $status): never
{
    http_response_code($status);
    exit;
}

/** Anyone can sign with an empty secret. */
function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("set $name");
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

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/notifications' && $_SERVER['REQUEST_METHOD'] === 'POST') {
    // ANCHOR: notifications
    $body = Tender\verified_body(setting('NOTIFY_SECRET')) ?? respond(400);
    $id = $_SERVER['HTTP_WEBHOOK_ID'];
    $allow_test_mode = getenv('ALLOW_TEST_MODE') === 'true' ? 'true' : 'false';
    $row = query('SELECT receive_notification($1, $2::jsonb, $3) AS question', [$id, $body, $allow_test_mode]);
    if ($row['question'] !== null) {
        error_log("notification $id needs a person: {$row['question']}");
    }
    respond(204);
    // ANCHOR_END: notifications
} elseif ($path === '/') {
    // A real shop creates the order from the buyer's basket.
    $invoice = 'INV-' . bin2hex(random_bytes(16));
    $row = [$invoice, 'usdtt', PRICE];
    query('INSERT INTO orders (invoice_number, token, quantity) VALUES ($1, $2, $3)', $row);
    $claims = ['token' => 'usdtt', 'quantity' => PRICE, 'invoiceNumber' => $invoice,
        'returnUrl' => "$origin/orders/$invoice"];
    $order = Tender\sign_order($claims, $order_key);
    $fields = ['token' => 'usdtt', 'quantity' => PRICE, 'locale' => 'en'];
    $cache = __DIR__ . '/cache';
    is_dir($cache) || mkdir($cache, 0700);
    $template = Tender\checkout_template($proxy, $order, $fields, $nonce, $cache);
} elseif (preg_match('#^/orders/([^/]+)$#', $path, $match)) {
    $invoice = rawurldecode($match[1]);
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

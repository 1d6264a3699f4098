<?php
// The shop of quick-start.mjs in PHP 8.1, without libraries: `php -S 127.0.0.1:3000 examples/quick-start.php`.
declare(strict_types=1);

const MUG = ['token' => 'usdtt', 'quantity' => '48.50']; // the price is text, as numbers lose digits
$proxy = rtrim(getenv('PROXY') ?: 'http://127.0.0.1:8081', '/');
$orders = getenv('ORDERS') ?: 'orders';
preg_match('/^([^=]+)=(.{32,})$/D', getenv('ORDER_KEY') ?: '', $order_key)
    || throw new RuntimeException('set ORDER_KEY to KID=SECRET, as the demo has printed it');
preg_match('~^whsec_([A-Za-z0-9+/]{32,86}=*)$~D', getenv('NOTIFY_SECRET') ?: '', $notify_secret)
    || throw new RuntimeException('set NOTIFY_SECRET to whsec_..., as the demo has printed it');
is_dir($orders) || mkdir($orders, recursive: true);

/** A JWT that is valid for an hour. The proxy takes the price from it, so the page can't change it. */
function sign(array $claims, string $kid, string $secret): string
{
    $base64url = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $head = json_encode(['alg' => 'HS256', 'kid' => $kid]);
    $content = $base64url($head) . '.' . $base64url(json_encode([...$claims, 'exp' => time() + 3600])); // in seconds
    return $content . '.' . $base64url(hash_hmac('sha256', $content, $secret, true));
}

/** Whether the proxy has sent this body in the last five minutes (https://www.standardwebhooks.com). */
function is_signed(string $body, string $key): bool
{
    [$id, $time, $signatures] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $is_equal = fn (string $signature) => hash_equals($expected, $signature);
    return abs(time() - (int) $time) < 300 && array_filter(explode(' ', $signatures), $is_equal) !== [];
}

/** What was sold with this invoice number; nothing if it is not one. */
function sold(string $orders, string $invoice): ?array
{
    $file = preg_match('/^INV-[0-9a-f]{32}$/D', $invoice) ? "$orders/$invoice.json" : '';
    return is_file($file) ? json_decode(file_get_contents($file), true) : null;
}

/** Fulfils the order that a notification says is paid. Returns what a person has to look at. */
function receive(string $type, array $data, array $signed, string $orders): ?string
{
    $sold = sold($orders, $signed['invoiceNumber'] ?? '');
    return match (true) {
        $type !== 'payment.paid', $data['state'] !== 'paid' => null,
        isset($data['testMode']) && getenv('ALLOW_TEST_MODE') !== 'true' => 'test mode',
        !$sold => 'no such order',
        $signed['token'] !== $sold['token'], ($signed['quantity'] ?? '') !== (string) $sold['quantity'] => 'another price',
        ($signed['itemNumber'] ?? '') !== ($sold['itemNumber'] ?? '') => 'another item', // with "0", the payer chose the amount
        fulfil("$orders/$signed[invoiceNumber].paid", $data['transactionId']) => null,
        default => 'a second payment',
    };
}

/** Only the first notification creates the file. Returns whether the order was fulfilled for this payment. */
function fulfil(string $file, string $payment): bool
{
    if (($paid = @fopen($file, 'x')) && fwrite($paid, $payment)) {
        error_log(basename($file, '.paid') . ' is paid: pack a mug');
    }
    return $payment === (@file_get_contents($file) ?: throw new RuntimeException("$file can't be written"));
}

[$route, $invoice] = ["$_SERVER[REQUEST_METHOD] $_SERVER[REQUEST_URI]", basename($_SERVER['REQUEST_URI'])];
if ($route === "GET /orders/$invoice" && $sold = sold($orders, $invoice)) {
    $order = sign([...$sold, 'invoiceNumber' => $invoice], $order_key[1], $order_key[2]);
    $title = is_file("$orders/$invoice.paid") ? 'Paid: we are packing your mug' : "One mug, $sold[quantity] USDT";
    header('Cache-Control: no-store');
    echo "<!doctype html><title>My shop</title><link rel='icon' href='data:,'>
        <script src='$proxy/v1/checkout.js' async></script>
        <h1>$title</h1>
        <tender-checkout proxy='$proxy' order='$order'><a href='$proxy/pay?order=$order'>Pay without JavaScript</a></tender-checkout>";
} elseif ($route === 'GET /') {
    $invoice = 'INV-' . bin2hex(random_bytes(16));
    file_put_contents("$orders/$invoice.json", json_encode(MUG));
    header("Location: /orders/$invoice", true, 303);
} elseif ($route !== 'POST /notifications') {
    http_response_code(404);
} elseif (!is_signed($body = file_get_contents('php://input', length: 65536), base64_decode($notify_secret[1]))) {
    http_response_code(401);
    echo $refusal = 'the signature does not fit NOTIFY_SECRET or the raw body, or is too old';
    error_log($refusal);
} else {
    // Not those of surrogate pairs: PHP refuses halves of them.
    $readable = preg_replace('/\\\\u[dD][89a-fA-F]../', '\\ufffd', str_replace('\\\\', '\\u005c', $body));
    ['type' => $type, 'data' => $data] = json_decode($readable, true);
    $question = receive($type, $data, $data['order'] ?? [], $orders);
    $question && error_log("needs a person, $question: $body");
    http_response_code(204);
}

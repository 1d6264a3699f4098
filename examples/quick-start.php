<?php
// The shop of quick-start.mjs in PHP, without libraries: `php -S 127.0.0.1:3000 examples/quick-start.php`.
declare(strict_types=1);

$proxy = getenv('PROXY') ?: 'http://127.0.0.1:8081';
$orders = getenv('ORDERS') ?: 'orders';
const MUG = ['token' => 'usdtt', 'quantity' => '48.50'];
const INVOICE = 'INV-[0-9a-f]{32}';
if (!preg_match('/^([^=]+)=(.{32,})$/D', getenv('ORDER_KEY') ?: '', $order_key)) {
    throw new RuntimeException('set ORDER_KEY to KID=SECRET, as the demo has printed it');
}
if (!preg_match('~^whsec_([A-Za-z0-9+/]{32,86}=*)$~D', getenv('NOTIFY_SECRET') ?: '', $notify_secret)) {
    throw new RuntimeException('set NOTIFY_SECRET to whsec_..., as the demo has printed it');
}
is_dir($orders) || mkdir($orders, recursive: true);

/** A JWT that is valid for an hour. The proxy takes the price from it, so the page can't change it. */
function sign(array $claims, string $kid, string $secret): string
{
    $base64url = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $claims['exp'] = time() + 3600; // in seconds
    $parts = array_map('json_encode', [['alg' => 'HS256', 'kid' => $kid], $claims]);
    $content = implode('.', array_map($base64url, $parts));
    return $content . '.' . $base64url(hash_hmac('sha256', $content, $secret, true));
}

/** Whether the proxy has sent this body in the last five minutes (https://www.standardwebhooks.com). */
function is_signed(string $body, string $key): bool
{
    $header = fn (string $name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '';
    [$id, $time, $signatures] = array_map($header, ['ID', 'TIMESTAMP', 'SIGNATURE']);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $is_equal = fn (string $signature) => hash_equals($expected, $signature);
    return abs(time() - (int) $time) < 300 && array_filter(explode(' ', $signatures), $is_equal) !== [];
}

/** Fulfils the order that a notification says is paid. Returns what a person has to look at. */
function receive(array $event, string $orders): ?string
{
    ['type' => $type, 'data' => $data] = $event;
    $signed = $data['order'] ?? [];
    $file = "$orders/" . ($signed['invoiceNumber'] ?? '');
    if ($type !== 'payment.paid' || $data['state'] !== 'paid') {
        return null;
    }
    if (isset($data['testMode']) && getenv('ALLOW_TEST_MODE') !== 'true') {
        return 'test mode';
    }
    if (!preg_match('/^' . INVOICE . '$/D', $signed['invoiceNumber'] ?? '') || !is_file("$file.json")) {
        return 'no such order';
    }
    $sold = json_decode(file_get_contents("$file.json"), true);
    if ($signed['token'] !== $sold['token'] || ($signed['quantity'] ?? null) !== $sold['quantity']) {
        return 'another price';
    }
    // With "0", the payer has chosen the amount.
    if (($signed['itemNumber'] ?? null) !== ($sold['itemNumber'] ?? null)) {
        return 'another item';
    }
    // Only the first notification creates the file.
    $paid = @fopen("$file.paid", 'x');
    if ($paid) {
        fwrite($paid, $data['transactionId']);
        error_log("{$signed['invoiceNumber']} is paid: pack a mug");
    } elseif (!is_file("$file.paid")) {
        throw new RuntimeException("$file.paid can't be written");
    }
    return file_get_contents("$file.paid") === $data['transactionId'] ? null : 'a second payment';
}

[$method, $path] = [$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']];
if ($method === 'POST' && $path === '/notifications') {
    $body = file_get_contents('php://input', length: 65536);
    if (!is_signed($body, base64_decode($notify_secret[1]))) {
        http_response_code(401);
        exit('the signature does not fit NOTIFY_SECRET, or is too old');
    }
    // Not those of surrogate pairs: PHP refuses halves of them.
    $readable = preg_replace('/\\\\u[dD][89a-fA-F]../', '\\ufffd', str_replace('\\\\', '\\u005c', $body));
    $question = receive(json_decode($readable, true), $orders);
    if ($question) {
        error_log("{$_SERVER['HTTP_WEBHOOK_ID']} needs a person: $question");
    }
    http_response_code(204);
} elseif ($method === 'GET' && $path === '/') {
    $invoice = 'INV-' . bin2hex(random_bytes(16));
    file_put_contents("$orders/$invoice.json", json_encode(MUG));
    header("Location: /orders/$invoice", true, 303);
} elseif ($method === 'GET' && preg_match('~^/orders/(' . INVOICE . ')$~D', $path, $match) && is_file("$orders/$match[1].json")) {
    $sold = json_decode(file_get_contents("$orders/$match[1].json"), true);
    $order = sign([...$sold, 'invoiceNumber' => $match[1]], $order_key[1], $order_key[2]);
    $title = is_file("$orders/$match[1].paid") ? 'Paid: we are packing your mug' : 'One mug, 48.50 USDT';
    header('Cache-Control: no-store');
    echo <<<HTML
        <!doctype html>
        <title>My shop</title><link rel="icon" href="data:,">
        <script src="$proxy/v1/checkout.js" async></script>
        <h1>$title</h1>
        <tender-checkout proxy="$proxy" order="$order">
          <a href="$proxy/pay?order=$order">Pay without JavaScript</a>
        </tender-checkout>
        HTML;
} else {
    http_response_code(404);
}

<?php
// What a shop in PHP needs of Tender, without libraries.
declare(strict_types=1);

namespace Tender;

// ANCHOR: order
function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

/** The kid and the secret of `KID=SECRET`. */
function order_key(string $text): array
{
    if (!preg_match('/^([^=]+)=(.{32,})$/D', $text, $match)) {
        throw new \RuntimeException('set ORDER_KEY to KID=SECRET, the same text as the proxy\'s order_key; SECRET has at least 32 characters');
    }
    return [$match[1], $match[2]];
}

/** A JWT with these claims, which is valid for one hour. */
function sign_order(array $claims, string $order_key): string
{
    [$kid, $key] = order_key($order_key);
    $header = ['alg' => 'HS256', 'kid' => $kid];
    $parts = array_map('json_encode', [$header, [...$claims, 'exp' => time() + 3600]]);
    $signed = implode('.', array_map('Tender\base64url', $parts));
    return $signed . '.' . base64url(hash_hmac('sha256', $signed, $key, true));
}
// ANCHOR_END: order

// ANCHOR: notifications
/** The body of a notification; null if it is too long, too old, or not signed as Standard Webhooks specifies. */
function verified_body(string $secret): ?string
{
    $body = file_get_contents('php://input', length: 64 * 1024 + 1);
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $is_equal = fn (string $signature) => hash_equals($expected, $signature);
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $is_valid = $key !== '' && strlen($body) <= 64 * 1024 && abs(time() - (int) $time) <= 300
        && array_filter($signatures, $is_equal) !== [];
    return $is_valid ? $body : null;
}
// ANCHOR_END: notifications

// ANCHOR: form
function request_form(string $address): string
{
    $context = stream_context_create(['http' => ['timeout' => 0.3, 'follow_location' => 0]]);
    $stream = @fopen($address, 'r', context: $context);
    $html = $stream ? stream_get_contents($stream, 64 * 1024 + 1) : '';
    $head = $stream ? implode("\n", stream_get_meta_data($stream)['wrapper_data']) : '';
    $is_html = preg_match('#^HTTP/\S+ 200\b.*^Content-Type: *text/html\b#ims', $head) && str_ends_with($html, '</slot>');
    return $is_html && strlen($html) <= 64 * 1024 && stripos($html, '<script') === false ? $html : '';
}

/**
 * The form for the HTML of the shop's page: docs/embedding.md. An empty string if the proxy does not send it in time: then
 * the page has none until the script is loaded. $cache is a folder that only the shop can write to.
 */
function checkout_template(string $proxy, string $order, array $fields, string $nonce, string $cache): string
{
    $address = "$proxy/v1/checkout.html?" . http_build_query([...$fields, 'inline' => 'style']);
    $file = "$cache/form-" . crc32($address) % 100;
    [$kept, $html] = [...explode("\n", (string) @file_get_contents($file), 2), ''];
    if ($kept !== $address || time() - filemtime($file) >= ($html === '' ? 5 : 60)) {
        $html = request_form($address);
        file_put_contents("$file." . getmypid(), "$address\n$html");
        rename("$file." . getmypid(), $file); // another request reads the old or the new one
    }
    $html = str_replace(['<style>', '{{order}}'], ["<style nonce=\"$nonce\">", $order], $html);
    $is_jwt = preg_match('/^[\w-]+\.[\w-]+\.[\w-]+$/D', $order);
    return $html !== '' && $is_jwt ? "<template shadowrootmode=\"open\">$html</template>" : '';
}
// ANCHOR_END: form

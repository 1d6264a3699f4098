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

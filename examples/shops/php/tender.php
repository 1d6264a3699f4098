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
/** The key of `whsec_...`. Anyone can sign with an empty one. */
function notify_key(string $secret): string
{
    $key = (string) base64_decode(substr($secret, strlen('whsec_')), true);
    if ($secret !== 'whsec_' . base64_encode($key) || strlen($key) < 24 || strlen($key) > 64) {
        throw new \RuntimeException('set NOTIFY_SECRET to the proxy\'s notify_secret: whsec_ and 24 to 64 bytes in base64');
    }
    return $key;
}

/** Its message is the reason, its code the status of the response. */
class Refused extends \RuntimeException
{
}

/** The body of a notification that is signed as Standard Webhooks specifies. Otherwise throws `Refused`. */
function verified_body(string $secret): string
{
    $key = notify_key($secret);
    $body = file_get_contents('php://input', length: 64 * 1024 + 1);
    if (strlen($body) > 64 * 1024) {
        throw new Refused('the body is longer than 64 KiB', 413);
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (abs(time() - (int) $time) > 300) {
        throw new Refused('the timestamp is missing, or more than five minutes off', 401);
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    $is_equal = fn (string $signature) => hash_equals($expected, $signature);
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    if (array_filter($signatures, $is_equal) === []) {
        throw new Refused('no signature matches', 401);
    }
    return $body;
}
// ANCHOR_END: notifications

/** A notification, for a shop whose database is not PostgreSQL. U+FFFD takes the place of halves of surrogate pairs, which PHP refuses. */
function event(string $body): array
{
    $half = '/\\\\u[dD][89abAB]..(?!\\\\u[dD][c-fC-F])|(?<!\\\\u[dD][89abAB]..)\\\\u[dD][c-fC-F]../';
    $body = preg_replace($half, '\\ufffd', str_replace('\\\\', '\\u005c', $body));
    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
}

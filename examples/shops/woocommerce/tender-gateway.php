<?php
/**
 * Plugin Name: Tender gateway (example)
 * Description: Buyers pay in crypto on Tender's payment page. A skeleton: see README.md.
 * Version: 0.1.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * License: MIT OR Apache-2.0
 */
declare(strict_types=1);

defined('ABSPATH') || exit;

require_once __DIR__ . '/tender.php';

add_action('plugins_loaded', function (): void {
    require_once __DIR__ . '/class-tender-gateway.php';
    add_filter('woocommerce_payment_gateways', fn (array $gateways) => [...$gateways, Tender_Gateway::class]);
    // Prices are in USDT, so nothing is converted.
    add_filter('woocommerce_currencies', fn (array $currencies) => [...$currencies, 'USDT' => 'Tether USD']);
    // The address of notifications: https://shop.example/?wc-api=tender
    add_action('woocommerce_api_tender', function (): void {
        $gateway = new Tender_Gateway();
        try {
            $body = Tender\verified_body($gateway->get_option('notify_secret'));
            status_header($gateway->receive_notification($body));
            exit;
        } catch (Tender\Refused $refused) {
            wc_get_logger()->warning("notification refused: {$refused->getMessage()}", ['source' => 'tender']);
            status_header($refused->getCode());
            exit(esc_html($refused->getMessage()));
        }
    });
});

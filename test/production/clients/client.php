<?php
$handle = curl_init('https://api.attentivemobile.com/v1/me');
curl_setopt_array($handle, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['authorization: Bearer sandpiper-demo-key'],
]);
$text = curl_exec($handle);
echo curl_getinfo($handle, CURLINFO_RESPONSE_CODE), ' ', json_decode($text)->companyName ?? curl_error($handle), "\n";

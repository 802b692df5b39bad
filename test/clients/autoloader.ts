/** Returns what Composer writes for the PHP client, which is in the folder `php`. */
export const autoloader = (php: string): string => `<?php
spl_autoload_register(static function (string $class): void {
    foreach (json_decode(file_get_contents('${php}/composer.json'), true)['autoload']['psr-4'] as $prefix => $folders) {
        foreach ($folders as $folder) {
            $file = '${php}/' . $folder . str_replace('\\\\', '/', substr($class, strlen($prefix))) . '.php';
            if (str_starts_with($class, $prefix) && is_file($file)) {
                require $file;
            }
        }
    }
});
`;

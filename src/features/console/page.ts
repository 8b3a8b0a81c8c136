/**
 * The document of the console: it holds no data, so whoever asks gets it, with nothing inline and nothing from elsewhere. Where
 * it cannot be made, a page says so.
 */
import { sha256 } from '../../kernel/digest.ts'
import type { Bundle } from './bundle-port.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** All that browsers let a page ask for, and this one does not. */
const OFF = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

/** Of the document and of its assets. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': ['clipboard-write=(self)', ...OFF.map((name) => `${name}=()`)].join(', '),
} as const

export interface Page {
  readonly html: string
  readonly etag: string
}

const pageOf = (html: string): Page => ({ html, etag: `"${sha256([html]).slice(0, 32)}"` })

/** @param preloads what the first page of it asks for */
export function documentOf({ script, style, icon }: Bundle, preloads: readonly string[]): Page {
  return pageOf(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Plumbline</title>
${icon === null ? '' : `    <link rel="icon" href="/assets/${icon}">\n`}${style === null ? '' : `    <link rel="stylesheet" href="/assets/${style}">\n`}${preloads.map((path) => `    <link rel="preload" as="fetch" href="${path}" crossorigin>\n`).join('')}    <script type="module" src="/assets/${script}"></script>
  </head>
  <body>
    <div id="console"></div>
  </body>
</html>
`)
}

/** Why is in the log: the page is open to everybody. */
export const UNBUNDLED = pageOf(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Plumbline</title>
  </head>
  <body>
    <h1>The console could not be made here</h1>
    <p>Everything else works: the API, <a href="/docs">its documentation</a>, and the command <code>plumbline</code>.</p>
    <p>Why is in the log of the daemon. Most often the packages are not complete, or esbuild has none for this platform:
    run <code>npm ci</code>, then <code>plumbline console build</code>, which says what is in the way.</p>
  </body>
</html>
`)

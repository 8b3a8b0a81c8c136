/** Bundles the page with esbuild, which works in a process of its own: it ends with the work. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { OutputFile } from 'esbuild'
import type { Milliseconds } from '../../../kernel/clock.ts'
import type { Bundle } from '../bundle-port.ts'
import type { BundlePlaces } from './sources.ts'

/** It takes less than one on a slow machine. */
const MAX_MS: Milliseconds = 60_000

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Throws where a source is wrong, and where there is no esbuild for this platform. */
export async function buildBundle({ root, sources }: BundlePlaces): Promise<Bundle> {
  const { build, stop } = await import('esbuild')
  const icon = join(sources, 'icon.svg')
  // What waits for the bundler is told that it has stopped.
  const timer = setTimeout(() => void stop(), MAX_MS)
  try {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: { main: join(sources, 'main.tsx'), ...(existsSync(icon) && { icon }) },
      outdir: join(root, 'assets'),
      publicPath: '/assets/',
      write: false,
      bundle: true,
      format: 'esm',
      splitting: true,
      // Pages that are fetched later rest on the whole first one: what they share with it is one file, and not a dozen small ones.
      inject: [join(sources, 'main.tsx')],
      minify: true,
      target: 'es2022',
      platform: 'browser',
      legalComments: 'none',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.woff2': 'file', '.svg': 'copy' },
      // A developer's own settings make no other page of it.
      tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
      logLevel: 'silent',
    })
    return bundleOf(outputFiles)
  } finally {
    clearTimeout(timer)
    await stop()
  }
}

/** The document of the page loads one script and one sheet; what is fetched later has neither. */
function bundleOf(files: readonly OutputFile[]): Bundle {
  const assets = files.map(({ path, contents }) => {
    const name = basename(path)
    const type = TYPES[name.split('.').at(-1)!]
    if (type === undefined) throw new Error(`${name} is of no kind that the console serves.`)
    return { name, type, bytes: contents }
  })
  const named = (pattern: RegExp) => assets.find(({ name }) => pattern.test(name))?.name ?? null
  const entry = assets.find(({ name }) => /^main-\w+\.js$/.test(name))
  if (entry === undefined) throw new Error('The bundler made no script of main.tsx.')
  const inner = innerOf(entry.bytes)
  const style = named(/^main-\w+\.css$/)
  return {
    // A page that is fetched later brings the same sheet along, which nobody loads.
    assets: assets.filter(
      ({ name }) => (inner === null || name !== entry.name) && (name === style || !name.endsWith('.css')),
    ),
    script: inner ?? entry.name,
    style,
    icon: named(/^icon-\w+\.svg$/),
  }
}

/** That one file, where the entry does nothing but name it: a request less. */
const innerOf = (entry: Uint8Array): string | null =>
  /^import"\/assets\/(chunk-\w+\.js)";\s*$/.exec(Buffer.from(entry).toString())?.[1] ?? null

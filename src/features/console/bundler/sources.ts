/** What the page is made of, and the digest that says whether it is still that. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../../../kernel/digest.ts'

export interface BundlePlaces {
  /** Where packages are found, with its `package-lock.json`. */
  readonly root: string
  /** Has `main.tsx`. */
  readonly sources: string
  /** Where a finished bundle is kept. */
  readonly cache: string
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Of this program. The cache stands beside that of compiled code, and is as trusted as the code itself. */
export const OWN_PLACES: BundlePlaces = {
  root: ROOT,
  sources: join(ROOT, 'src/ui'),
  cache: join(ROOT, 'node_modules/.cache/plumbline/console'),
}

/** Changes with every file, every package and the bundler. */
export async function sourcesDigest({ root, sources }: BundlePlaces): Promise<string> {
  const entries = await readdir(sources, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const files = [
    join(root, 'package-lock.json'),
    join(root, 'node_modules/esbuild/package.json'),
    ...paths.toSorted(),
  ]
  const parts = await Promise.all(
    files.map(async (path) => [path.slice(root.length), sha256([await readFile(path)])]),
  )
  return sha256([JSON.stringify([FORM, parts])])
}

/** Of what is made of them: another way of bundling is another bundle. */
const FORM = 2

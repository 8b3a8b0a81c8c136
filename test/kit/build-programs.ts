/** Builds the programs of programs.ts, once and before all tests of a gate: nothing is kept from a run before. */
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { PROGRAMS, ROOT } from './programs.ts'

/** They load a file that lies beside their own code. */
const STAYS_APART = /^(?:better-sqlite3|@node-rs\/argon2|ssh2)$/
const OWN_PLACE = /import\.meta\.(url|dirname|filename)/g

/** A source finds what lies beside it, wherever its code runs. */
const placeOf = (id: string, word: string): string =>
  JSON.stringify(word === 'url' ? pathToFileURL(id).href : word === 'dirname' ? dirname(id) : id)

export async function buildPrograms(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: Object.fromEntries(PROGRAMS.map((source) => [source.replace(/\.ts$/, ''), source])),
    external: (id) => STAYS_APART.test(id),
    plugins: [
      {
        name: 'own-place',
        transform: {
          filter: { id: { exclude: /node_modules/ }, code: OWN_PLACE },
          handler: (code, id) => ({
            code: code.replaceAll(OWN_PLACE, (_, word: string) => placeOf(id, word)),
            map: null,
          }),
        },
      },
    ],
  })
  await build.write({
    dir: folder,
    format: 'esm',
    keepNames: true,
    entryFileNames: '[name].mjs',
    // By another name each process would parse them once more to find out what they are.
    chunkFileNames: '[name]-[hash].mjs',
  })
  await build.close()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

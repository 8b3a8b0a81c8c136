/**
 * How the tests run. Two projects: most files share their worker with others (`together`), and those that set `process.env`
 * or patch what a whole process shares have one of their own (`alone`). The tiers are told apart in test/kit/tier.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst, ShuffledMixed } from './test/kit/longest-first.ts'
import { BUILT_PROGRAMS, SCRATCH } from './test/kit/scratch.ts'
import { SEED, TIER } from './test/kit/tier.ts'

// better-sqlite3 needs Node-API 10; an older Node would crash without a word, so say it here.
if (Number(process.versions.napi) < 10) {
  throw new Error(`Node ${process.version} is too old for the tests; use "npm test", which brings Node 24.`)
}

const deep = TIER !== 'gate'
const files = globSync('test/**/*.test.ts').filter((file) => deep || !file.endsWith('.deep.test.ts'))

/** Whoever writes to what other files in the same process see, seen by the words for it. */
const WRITES_GLOBALS =
  /process\.env\[[^\]]+\] =(?!=)|delete process\.env|process\.chdir|process\.umask|setGlobalDispatcher|vi\.(mock|stub|useFake|spyOn\((fs|process|globalThis))|syncBuiltinESMExports|pointTheDisk/
const alone = files.filter((file) => WRITES_GLOBALS.test(readFileSync(file, 'utf8')))

const shared = {
  setupFiles: ['test/kit/seeded.ts'],
  env: {
    TMPDIR: SCRATCH,
    NODE_COMPILE_CACHE: join(SCRATCH, 'compiled'),
    ...(BUILT_PROGRAMS !== undefined && { PLUMBLINE_PROGRAMS: BUILT_PROGRAMS }),
  },
  // Generous: a test that hangs fails late, one that has to share the machine does not fail at all.
  testTimeout: 300_000,
  hookTimeout: 180_000,
  // On a machine that others use, too.
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    // The gate keeps two processors busy with three; in depth more files wait for a clock or a server than work.
    maxWorkers: deep ? 5 : 3,
    // A house makes much that is soon gone: rubbish of 16 MB at a time is a twentieth of all work.
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: ['test/kit/whole-run.ts'],
    sequence: { seed: SEED, sequencer: deep ? ShuffledMixed : LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          isolate: false,
          // Node loads the sources itself, as it does for a user.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          include: files.filter((file) => !alone.includes(file)),
        },
      },
      { test: { ...shared, name: 'alone', isolate: true, include: alone } },
    ],
  },
})

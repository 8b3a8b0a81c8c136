// How the tests run. better-sqlite3 needs Node-API 10; an older Node would crash without a word, so say it here.
import { defineConfig } from 'vitest/config'

if (Number(process.versions.napi) < 10) {
  throw new Error(`Node ${process.version} is too old for the tests; use "npm test", which brings Node 24.`)
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/peers/tell-missing.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

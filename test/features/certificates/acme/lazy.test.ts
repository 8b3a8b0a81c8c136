/** Who obtains no certificates does not pay for the library that would. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const here = (path: string): string =>
  JSON.stringify(new URL(`../../../../src/${path}`, import.meta.url).href)

const PROGRAM = `
import { createRequire } from 'node:module'
const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => /acme-client|axios/.test(path))
await import(${here('features/certificates/acme/create-acme.ts')})
const { makeRequest } = await import(${here('features/certificates/acme/make-request.ts')})
const before = loaded()
await makeRequest(['app.example.org'])
console.log(JSON.stringify({ before, after: loaded() }))
`

it('the library is loaded with the first request, not with the adapter', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    timeout: 60_000,
  })
  expect(JSON.parse(stdout)).toEqual({ before: false, after: true })
})

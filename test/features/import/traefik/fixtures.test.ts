/**
 * Hand-written Traefik files and what they come to: one folder per case in `fixtures/traefik-import`, the files beside
 * `expected.json` and the report that a person reads. UPDATE_FIXTURES=1 writes both anew; look at the difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { checkNew } from '../../../../src/model/domain/rules.ts'
import { reportLines } from '../../../../src/features/import/report.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import { traefikDocument } from '../../../../src/features/import/traefik/document.ts'
import { CONTEXT } from './context.ts'
import { unexplained } from './law.ts'

const ROOT = new URL('../../../../fixtures/traefik-import/', import.meta.url)
const CASES = readdirSync(ROOT).toSorted()

function load(name: string) {
  const folder = new URL(`${name}/`, ROOT)
  const files = readdirSync(folder).filter((file) => file.endsWith('.yml'))
  const documents = files
    .toSorted()
    .map((file) => traefikDocument(file, readFileSync(new URL(file, folder), 'utf8'), yamlDocuments))
  return { folder, documents, result: fromTraefik(documents, CONTEXT) }
}

describe.each(CASES)('%s', (name) => {
  const { folder, documents, result } = load(name)
  const report = `${reportLines(result).join('\n')}\n`
  if (process.env['UPDATE_FIXTURES'] === '1') {
    writeFileSync(new URL('expected.json', folder), `${JSON.stringify(result, null, 2)}\n`)
    writeFileSync(new URL('report.txt', folder), report)
  }

  test('comes to the expected records and leftovers', () => {
    expect(JSON.parse(JSON.stringify(result))).toEqual(
      JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')),
    )
  })

  test('reads well', () => {
    expect(report).toBe(readFileSync(new URL('report.txt', folder), 'utf8'))
  })

  test('explains every router, service and middleware, and makes only records that the rules take', () => {
    expect(unexplained(documents, result)).toEqual([])
    for (const { input } of result.records) expect(checkNew({ ...input }, CONTEXT.offer).ok).toBe(true)
  })
})

/** A file of which every byte is ours: what differs of it, and how that is told. */
import { describe, expect, it } from 'vitest'
import { explainFile, fileDifferences, fileText } from '../../src/engine/whole-file.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import type { FileLook } from '../../src/ports/files.ts'

const WANTED = { key: 'k', path: '/etc/it.yml', is_same: false, digest: sha256(['b\n']) }
const SAME = { ...WANTED, is_same: true }
const FAULT = { what: 'is readable by everybody', remedy: '' } as never
const file = (text: string, over: object = {}): FileLook => ({
  kind: 'file',
  digest: sha256([text]),
  bytes: Buffer.from(text),
  ...over,
})
const ABSENT: FileLook = { kind: 'absent' }
const FOLDER: FileLook = { kind: 'intruder', what: 'directory' }
const change = (over: object) => [
  {
    key: 'k',
    verb: 'update',
    item: WANTED.path,
    before: sha256(['a\n']).slice(0, 12),
    after: WANTED.digest.slice(0, 12),
    payload: 'bytes',
    ...over,
  },
]

describe('a file', () => {
  it.each<[what: string, look: FileLook, wanted: typeof WANTED, differences: readonly unknown[]]>([
    ['that says what is wanted does not differ', file('b\n'), SAME, []],
    ['that says something else is written', file('a\n'), WANTED, change({})],
    ['that is missing is made', ABSENT, WANTED, change({ verb: 'create', before: null })],
    [
      'whose mode alone is wrong gets its own',
      file('b\n', { access: FAULT }),
      SAME,
      change({ before: 'is readable by everybody', after: 'its own mode', payload: 'mode' }),
    ],
    ['whose mode is wrong, too, is written', file('a\n', { access: FAULT }), WANTED, change({})],
    ['in whose place a folder stands is written', FOLDER, WANTED, change({ before: 'intruder:dir' })],
    ['that is not read, and holds what is wanted, does not differ', FOLDER, SAME, []],
  ])('%s', (_what, look, wanted, differences) => {
    expect(fileDifferences(look, wanted)).toEqual(differences)
  })

  it('has a text, and nothing else has', () => {
    expect([file('ä\n'), ABSENT, FOLDER].map(fileText)).toEqual(['ä\n', null, null])
  })
})

describe('the words of a file', () => {
  const WORDS = { was: 'a\n', is_to_say: 'b\n', missing: 'it is missing', edited: 'it was edited' }
  const told = (cause: string, detail: string) => [{ item: WANTED.path, cause, domains: [], detail }]
  const from = (line: string) =>
    expect.stringMatching(new RegExp(`on disk[^]*as it should be[^]*${line}\\+b\\n`))

  it('are none where it does not differ', () => {
    expect(explainFile(file('b\n'), SAME, WORDS)).toEqual({ differences: [], unified_diff: null, note: null })
  })

  it('say what stands there and what should', () => {
    expect(explainFile(file('a\n'), WANTED, WORDS)).toEqual({
      differences: told('edited', 'it was edited'),
      unified_diff: from('-a\\n'),
      note: null,
    })
  })

  it('of one that is missing compare with nothing', () => {
    expect(explainFile(ABSENT, WANTED, WORDS)).toEqual({
      differences: told('lost', 'it is missing'),
      unified_diff: from('@@\\n'),
      note: null,
    })
  })

  it('of one whose mode alone is wrong say how, and compare nothing', () => {
    expect(explainFile(file('b\n', { access: FAULT }), SAME, WORDS)).toEqual({
      differences: told('access', 'the file is readable by everybody'),
      unified_diff: null,
      note: null,
    })
  })

  it('of what is no file name that, and compare nothing', () => {
    const detail = 'something that is no file of ours stands there (intruder:directory)'
    expect(explainFile(FOLDER, WANTED, { ...WORDS, was: null })).toEqual({
      differences: told('edited', detail),
      unified_diff: null,
      note: null,
    })
  })
})

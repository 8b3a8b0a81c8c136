/** The command line that carries out a rehearsal, as a person copies it. */
import { expect, it } from 'vitest'
import { confirmedLine, repeatedLine } from '../../src/cli/words/repeated.ts'

it.each([
  [['deploy', 'app.example.com', '--dry-run', '--out', 'plan.md'], 'deploy app.example.com'],
  [['off', 'a.example.com', '-y', '-o', 'p.md', '--json'], 'off a.example.com'],
  [['sync', 'my estate.yaml', '--prune', '--out=p.md', '-op.md'], "sync 'my estate.yaml' --prune"],
  [['set', 'a.example.com', "note=it's", '--confirm', 'old'], String.raw`set a.example.com 'note=it'\''s'`],
  [['add', '*.example.com', '10.0.0.5:80', '--confirm=old'], "add '*.example.com' 10.0.0.5:80"],
])('%j is carried out by %s', (said, line) => {
  expect(confirmedLine(said, 'abc')).toBe(`plumbline ${line} --confirm abc`)
})

it('the same rehearsal is repeated as it was typed', () => {
  expect(repeatedLine(['plan', 'a b', '--out', 'p.md'])).toBe("plumbline plan 'a b' --out p.md")
})

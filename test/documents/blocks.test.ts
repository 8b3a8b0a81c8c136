/** How pages are read: which blocks run, in which lines, and what their comments say of commands. */
import { expect, it } from 'vitest'
import { claimsOf, readPage, scriptOf } from './blocks.ts'

const PAGE = `# Title

\`\`\`sh
plumbline drift   # for CI; exit 2
echo '{
  "a": 1 }'
\`\`\`

<!-- not run: changes the machine for good -->

\`\`\`bash
reboot
\`\`\`

<!-- not run: stands above no block of commands -->

\`\`\`yaml
a: 1 # exit 3
\`\`\`

- In a list:
  \`\`\`console
  plumbline status # "as they should be"
  \`\`\`
`

it('a block of any shell runs, unless the line above says why not', () => {
  const { blocks, stray_marks } = readPage(PAGE)
  expect(blocks.map(({ line, not_run }) => [line, not_run])).toEqual([
    [4, null],
    [12, 'changes the machine for good'],
    [23, null],
  ])
  expect(stray_marks).toEqual([15])
})

it('a command has the line in the script that it has on the page', () => {
  const script = scriptOf(readPage(PAGE).blocks).split('\n')
  expect(script[3]).toMatch(/^plumbline drift/)
  expect(script[22]).toMatch(/^ *plumbline status/)
  expect(script.join('\n')).not.toContain('reboot')
})

it('a comment behind a command says its exit code and what it prints', () => {
  const { exits, prints } = claimsOf(scriptOf(readPage(PAGE).blocks))
  expect([...exits]).toEqual([[4, 2]])
  expect(prints).toEqual([{ line: 23, text: 'as they should be' }])
})

it('a comment of its own says nothing of a command', () => {
  expect(claimsOf('# "words" of an explanation; exit 1\n')).toEqual({ exits: new Map(), prints: [] })
})

it('a block without an end is an error of the page', () => {
  expect(() => readPage('```sh\necho\n')).toThrow(/line 1 has no end/)
})

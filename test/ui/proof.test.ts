/** What a change is shown as: its plan before the press, and its proof after it. */
import { expect, it } from 'vitest'
import { proofSteps, warningsBeside } from '../../src/ui/model/plan-words.ts'

it('a proof says what the answer warns of, and how each certificate ended', () => {
  expect(
    proofSteps({
      message: 'kim was revoked.',
      warnings: ['kim signs in as before', 'kim signs in as before'],
    }),
  ).toEqual([{ key: 'kim signs in as before', lamp: 'drift', text: 'kim signs in as before', took_ms: null }])
  const results = [
    { name: 'a.example', message: null, serial: '01' },
    { name: 'b.example', message: 'the authority refused it.', serial: null },
    { name: 'c.example', message: null, serial: null },
  ]
  expect(
    proofSteps({ configured: true, results, message: '' }).map(({ lamp, text }) => `${lamp} ${text}`),
  ).toEqual([
    'ok a.example: it is there',
    'bad b.example: the authority refused it.',
    'moving c.example: on its way',
  ])
  expect(proofSteps(undefined)).toEqual([])
})

it('what is refused is not warned of once more', () => {
  expect(
    warningsBeside({ warnings: ['it waits.', 'and more'], refused: [{ message: 'it waits.' }] } as never),
  ).toEqual(['and more'])
})

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

it('that a hand edit is undone proves a put-back, and warns beside any other change', () => {
  const warning =
    'routes is written as a whole: what was edited by hand of a.example was undone by it (line 1: changed by hand). What stood there is kept as /x.'
  const warnings = [warning, 'dns is slow.']
  expect(proofSteps({ warnings }, true).map(({ lamp, text }) => `${lamp} ${text}`)).toEqual([
    'ok Routes: what was edited by hand of a.example is undone, as was asked (line 1: changed by hand). What stood there is kept as /x.',
    'drift dns is slow.',
  ])
  expect(proofSteps({ warnings }).map(({ lamp }) => lamp)).toEqual(['drift', 'drift'])
})

/** `plumbline doctor`: looks at everything that commonly goes wrong around the daemon, and says what would help. */
import { EXIT } from './exit-codes.ts'
import { styled } from './terminal.ts'
import type { Verb } from './verb.ts'

const MARK = {
  good: styled('green', 'ok  '),
  warning: styled('yellow', 'warn'),
  bad: styled('red', 'BAD '),
} as const

export const doctor: Verb = {
  name: 'doctor',
  takes: '',
  help: 'Examine the installation. Exit code 1 when something is wrong.',
  options: {},
  async run({ terminal, surroundings }) {
    const findings = await surroundings.examine()
    if (terminal.json) terminal.out(JSON.stringify(findings, null, 2))
    else
      for (const { state, check, detail, remedy } of findings) {
        terminal.out(`${MARK[state]} ${check}: ${detail}`)
        if (remedy !== null) terminal.out(`     → ${remedy}`)
      }
    return findings.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.ok
  },
}

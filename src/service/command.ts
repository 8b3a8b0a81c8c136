/** `plumbline install-unit`: the systemd units of this installation, written and checked, or only shown. */
import { EXIT } from '../cli/exit-codes.ts'
import { tellJson } from '../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../cli/verb.ts'
import { flagOf, textOf } from '../cli/words/given.ts'

const FOLDER = '/etc/systemd/system'
const USER = 'plumbline'
const SSO_UNIT = 'authelia.service'

export const installUnit: Verb = {
  name: 'install-unit',
  help: 'Writes hardened systemd units for these settings, or prints them.',
  forms: [
    {
      words: '',
      help: 'Writes the units to /etc/systemd/system, checked by systemd where it is there.',
      options: {
        print: { help: 'Prints them and writes nothing.' },
        dir: { value: 'DIR', help: 'Writes them into this folder.' },
        user: { value: 'USER', help: 'The user that it runs as; else plumbline.' },
        'sso-unit': { value: 'UNIT', help: 'The unit of the SSO provider; else authelia.service.' },
      },
      examples: [['install-unit --print', 'Shows what would be written.']],
      run: installed,
    },
  ],
}

async function installed({ options, terminal, surroundings }: VerbContext): Promise<number> {
  const text = (name: string, fallback: string) => textOf(options, name) ?? fallback
  const told = await surroundings.installUnit({
    user: text('user', USER),
    sso_unit: text('sso-unit', SSO_UNIT),
    folder: flagOf(options, 'print') ? null : text('dir', FOLDER),
  })
  const { units, verdict, written } = told
  if (terminal.json) tellJson(terminal, told)
  else if (written === null)
    for (const { name, text: unit } of units) terminal.out(`# ${name}\n${unit.trimEnd()}\n`)
  else terminal.out(written.length === 0 ? 'Nothing has changed.' : `Wrote ${written.join(', ')}.`)
  if (verdict === null) terminal.note('Not checked: there is no systemd-analyze here.')
  else terminal.note(`systemd-analyze verifies it; ${exposureWords(verdict.exposure)}.`)
  if (written !== null && !terminal.json) {
    terminal.note('Then: systemctl daemon-reload && systemctl enable --now plumbline')
    terminal.note(
      `It runs as ${told.user}, who must own ${told.data_dir} and be let into the folders it names.`,
    )
  }
  return EXIT.ok
}

/** Before version 250 it weighs no file. */
const exposureWords = (exposure: number | null): string =>
  exposure === null ? 'how exposed it is, this version does not say' : `exposure ${exposure.toFixed(1)} of 10`

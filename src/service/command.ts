/** `plumbline install-unit`: the systemd units of this installation, written and checked, or only shown. */
import { EXIT } from '../cli/exit-codes.ts'
import type { Verb } from '../cli/verb.ts'

const FOLDER = '/etc/systemd/system'
const USER = 'plumbline'
const SSO_UNIT = 'authelia.service'

export const installUnit: Verb = {
  name: 'install-unit',
  takes: '',
  help: 'Write hardened systemd units for these settings to /etc/systemd/system, or print them.',
  options: {
    print: { type: 'boolean' },
    dir: { type: 'string' },
    user: { type: 'string' },
    'sso-unit': { type: 'string' },
  },
  async run({ options, terminal, surroundings }) {
    const text = (name: string, fallback: string) => {
      const value = options[name]
      return typeof value === 'string' ? value : fallback
    }
    const told = await surroundings.installUnit({
      user: text('user', USER),
      sso_unit: text('sso-unit', SSO_UNIT),
      folder: options['print'] === true ? null : text('dir', FOLDER),
    })
    const { units, verdict, written } = told
    if (terminal.json) terminal.out(JSON.stringify(told, null, 2))
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
  },
}

/** Before version 250 it weighs no file. */
const exposureWords = (exposure: number | null): string =>
  exposure === null ? 'how exposed it is, this version does not say' : `exposure ${exposure.toFixed(1)} of 10`

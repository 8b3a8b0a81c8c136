/**
 * Every command block of every page runs as it is written, or says why it cannot. What a comment says of a command is checked:
 * `# …; exit 2` is its exit code, `# "in quotes"` is what it prints.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { run, start } from '../flows/command.ts'
import { wellProvider } from '../flows/well-provider.ts'
import { freePort } from '../kit/ports.ts'
import { itOneIn } from '../kit/in-depth.ts'
import { ROOT } from '../kit/programs.ts'
import { describePeers } from '../peers/peers.ts'
import { claimsOf, readPage, scriptOf } from './blocks.ts'
import { runScript } from './shell.ts'
import { STAGES } from './stages.ts'
import { newFolder } from '../kit/new-folder.ts'

const PAGES = globSync(['README.md', '{src,schema,test,fixtures}/**/*.md'], { cwd: ROOT }).toSorted()
const read = (page: string) => readPage(readFileSync(join(ROOT, page), 'utf8'))
const WITH_COMMANDS = PAGES.filter((page) => read(page).blocks.some(({ not_run }) => not_run === null))

async function whatIsWrong(page: string): Promise<readonly string[]> {
  const script = scriptOf(read(page).blocks)
  const folder = newFolder('page')
  const stage = (await STAGES[page]?.(folder)) ?? {}
  const address = `127.0.0.1:${await freePort()}`
  const provider = await wellProvider(stage.env)
  // Nobody outside is asked.
  const env = { ...provider, PLUMBLINE_DNS_RESOLVERS: '127.0.0.1:9', ...stage.env }
  const at = { ...env, PLUMBLINE_LISTEN: address, PLUMBLINE_DATA_DIR: join(folder, 'data') }
  const daemon = start(['serve'], at)
  try {
    await daemon.saw('"listening"')
    if (script.includes('plumbline status')) await lookedAtEverything(at)
    const { failed, printed, errors } = await runScript(script, { folder, address, env })
    const { exits, prints } = claimsOf(script)
    const said = (line: number) => (printed.get(line) ?? '').slice(0, 2000)
    const codes = [...new Set([...failed.keys(), ...exits.keys()])]
      .filter((line) => failed.get(line) !== exits.get(line))
      .map((line) => `${page}:${line} ends with ${failed.get(line) ?? 0}: ${said(line)}`)
    const texts = prints
      .filter(({ line, text }) => !(printed.get(line) ?? '').includes(text))
      .map(({ line, text }) => `${page}:${line} does not print "${text}": ${said(line)}`)
    return codes.length + texts.length === 0 ? [] : [...codes, ...texts, errors]
  } finally {
    await daemon.stop()
    await stage.close?.()
  }
}

/** Whoever reads a page types its commands a while after the start: on a busy machine the first looks take longer than the shell. */
async function lookedAtEverything(env: Readonly<Record<string, string>>): Promise<void> {
  const unknown = async () => (await run(['status', '--probe'], env)).out.match(/^unknown .*/gm) ?? []
  await expect.poll(unknown).toEqual([])
}

describe('command blocks', () => {
  it('are all run, or marked with the reason why not', () => {
    expect(WITH_COMMANDS.length).toBeGreaterThan(10)
    expect(PAGES.flatMap((page) => read(page).stray_marks.map((line) => `${page}:${line}`))).toEqual([])
    const short = PAGES.flatMap((page) =>
      read(page)
        .blocks.filter(({ not_run }) => not_run !== null && not_run.split(' ').length < 4)
        .map(({ line }) => `${page}:${line}`),
    )
    expect(short).toEqual([])
  })

  it('have no command that cannot fail, as the shell overlooks what stands behind a !', () => {
    const negated = PAGES.filter((page) => /^ *! /m.test(scriptOf(read(page).blocks)))
    expect(negated).toEqual([])
  })

  it('name in such a reason only tests that there are', () => {
    const named = PAGES.flatMap((page) =>
      read(page).blocks.flatMap(
        ({ not_run }) => not_run?.match(/\b(?:test|src)\/[a-z/-]+\.(?:test\.)?ts\b/g) ?? [],
      ),
    )
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('of the stages belong to a page that is there', () => {
    expect(Object.keys(STAGES).filter((page) => !WITH_COMMANDS.includes(page))).toEqual([])
  })
})

describe('other blocks', () => {
  const others = PAGES.flatMap((page) => read(page).others.map((block) => ({ page, ...block })))

  it('say their language, so that no command hides in one', () => {
    expect(
      others.filter(({ language }) => language === '').map(({ page, line }) => `${page}:${line}`),
    ).toEqual([])
  })

  it('are YAML where they say so', () => {
    const yaml = others.filter(({ language }) => language === 'yaml')
    expect(yaml.length).toBeGreaterThan(3)
    const wrong = yaml.flatMap(({ page, line, text }) =>
      parseDocument(text).errors.map(({ message }) => `${page}:${line} ${message}`),
    )
    expect(wrong).toEqual([])
  })
})

describePeers(['curl', 'openssl', 'ssh-keygen'], 'a page as it is written', () => {
  // The gate takes the first page alone, the README of the whole.
  itOneIn(WITH_COMMANDS.length).each(WITH_COMMANDS)('%s', async (page) => {
    expect(await whatIsWrong(page)).toEqual([])
  })
})

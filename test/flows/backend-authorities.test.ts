/** The folder of authorities: read whole at the start, or the start ends with everything that is wrong with it. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import {
  backendAuthorities,
  readAuthorityAt,
} from '../../src/features/domains/backend/backend-authorities-wiring.ts'
import { Failure } from '../../src/kernel/failure.ts'
import { backendCertificates } from '../fakes/backend-certificates.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const made = backendCertificates()
const leaf = made.make({ san: 'DNS:nas.lan' })
afterAll(() => made[Symbol.dispose]())
let folder: string
beforeEach(() => void (folder = newFolder('authorities')))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

function faultsIn(path: string): readonly string[] {
  try {
    backendAuthorities(path)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    expect(error).toMatchObject({ code: 'bad_configuration' })
    return (error as Failure).message.split('\n')
  }
}

it('names are those of the files, and other files are nobody’s', () => {
  write('home.pem', `# mine\n${made.authority}`)
  write('old.crt', made.authority + leaf.cert)
  write('notes.txt', 'x')
  expect(backendAuthorities(folder)).toEqual(
    new Map([
      ['home', made.authority],
      ['old', made.authority + leaf.cert],
    ]),
  )
  expect(backendAuthorities(null)).toEqual(new Map())
})

it('a folder that is not there ends the start, and says what helps', () => {
  expect(faultsIn(join(folder, 'gone'))).toEqual([
    expect.stringMatching(
      /^PLUMBLINE_BACKEND_CA_DIR: \/.*gone does not exist\. Correct the path, make the folder, or leave the setting out\.$/,
    ),
  ])
})

it('everything that is wrong is said at once', () => {
  write('a.pem', leaf.key + leaf.cert)
  write('b.pem', 'no certificate')
  write('Upper.pem', made.authority)
  write('c.pem', made.authority)
  write('c.crt', made.authority)
  expect(faultsIn(folder)).toEqual([
    expect.stringMatching(/Upper\.pem must be named/),
    expect.stringMatching(/a\.pem holds a private key/),
    expect.stringMatching(/b\.pem must hold a certificate/),
    expect.stringMatching(/c\.pem is the second file called c/),
  ])
})

it('the import reads what an absolute path names, and nothing large', () => {
  write('home.pem', made.authority)
  write('large.pem', 'x'.repeat(40_000))
  expect(readAuthorityAt(join(folder, 'home.pem'))).toBe(made.authority)
  for (const path of ['home.pem', join(folder, 'large.pem'), join(folder, 'gone.pem'), folder])
    expect(readAuthorityAt(path)).toBeNull()
})

it('a pipe in the folder, or where an import looks, hangs nobody', () => {
  const path = join(folder, 'pipe.pem')
  execFileSync('mkfifo', [path])
  expect(faultsIn(folder)).toEqual([expect.stringMatching(/pipe\.pem must be a file of at most \d+ bytes/)])
  expect(readAuthorityAt(path)).toBeNull()
})

itInDepth(
  'one that deployed records trust and that is gone ends the start, and what stands in the world stays',
  async () => {
    write('home.pem', made.authority)
    const env = { PLUMBLINE_BACKEND_CA_DIR: folder }
    await using first = await openTestHouse({ env })
    const backend_tls = { trust: 'ca', ca_name: 'home', server_name: 'nas.lan' }
    await createActive(first.call, { backend_scheme: 'https', backend_tls })
    const bytes = first.routes()
    rmSync(join(folder, 'home.pem'))
    await expect(first.reopen()).rejects.toThrow(
      /^PLUMBLINE_BACKEND_CA_DIR: has no home\.pem, which app\.example\.com trusts; put it back/,
    )
    expect(first.routes()).toBe(bytes)
    write('home.pem', made.authority)
    await using again = await openTestHouse({ env, directory: first.directory })
    expect((await again.call('GET', '/api/domains/drift')).body['drift']).toBe(false)
  },
)

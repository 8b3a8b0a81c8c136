/** QR codes of files: read back by a reader that is not ours, byte for byte. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { MAX_QR_BYTES, pngOf, qrLines, qrOf, svgOf } from '../../../src/features/vpn/qr/qr.ts'
import { runTool } from '../../peers/peer.ts'
import { describePeers } from '../../peers/peers.ts'
import { newFolder } from '../../kit/new-folder.ts'

const folder = newFolder('qr')

const file = (networks: number) =>
  `[Interface]\nPrivateKey = REPLACE_WITH_PRIVATE_KEY\nAddress = 192.168.7.2/32\nDNS = 192.168.7.1\nMTU = 1420\n\n[Peer]\n` +
  `PublicKey = cCjoVSV4w9ISl2mErjPGN5FpgPbhSJ5iHkEOWwL6bhI=\nAllowedIPs = ${Array.from({ length: networks }, (_, at) => `10.${at}.0.0/16`).join(', ')}\n` +
  `Endpoint = vpn.example.com:51820\nPersistentKeepalive = 25\n`

/** Bytes as they are: a text in another form than UTF-8 would be changed on the way. */
const readBack = (path: string): string =>
  execFileSync('zbarimg', ['--quiet', '--raw', '-Sbinary', path], {
    env: { PATH: process.env['PATH'] },
  }).toString()

describePeers(['zbarimg', 'rsvg-convert'], 'a QR code', () => {
  it.each([1, 60])('of a file with %i networks is read back', async (networks) => {
    const text = file(networks)
    const modules = qrOf(text)!
    const [png, svg] = [join(folder, `${networks}.png`), join(folder, `${networks}.svg`)]
    writeFileSync(png, pngOf(modules))
    writeFileSync(svg, svgOf(modules))
    await runTool('rsvg-convert', ['-w', '900', '-o', `${svg}.png`, svg])
    expect(readBack(png)).toBe(text)
    expect(readBack(`${svg}.png`)).toBe(text)
  })

  it('is none for what is too long', () => {
    expect(qrOf('x'.repeat(MAX_QR_BYTES))).not.toBeNull()
    expect(qrOf('x'.repeat(MAX_QR_BYTES + 1))).toBeNull()
    expect(qrLines('x'.repeat(MAX_QR_BYTES + 1))).toBeNull()
  })

  it('fits into a terminal of 80 columns', () => {
    const lines = qrLines(file(1))!
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})

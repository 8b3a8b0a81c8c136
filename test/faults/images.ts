/**
 * Disks that can lose power: ext4 images on loop devices. What the file system has not written to its image when the
 * image is copied is what a power cut takes away; mounting the copy replays its journal, as the next boot would.
 *
 * The weakest ordering that ext4 offers, since others must not be needed: data may be written after the metadata that
 * points to it, and a rename over a file writes nothing by itself. Nothing is written merely because time passes.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const IMAGE_BYTES = 24 * 1024 * 1024
const WEAK = 'loop,data=writeback,noauto_da_alloc,commit=600,nodev,nosuid'
const MAX_TRIES = 10
const AGAIN_MS = 100
const OWN_PLACE = '/dev/shm'

/** In memory where there is such a place: an image that is synced need not reach a real disk. */
export const imagePlace = (): string => (existsSync(OWN_PLACE) ? OWN_PLACE : tmpdir())

/** The names of a trial's disks, each an image and the folder where it is mounted. */
const DISKS = ['data', 'proxy'] as const

const imageOf = (folder: string, disk: string): string => join(folder, `${disk}.img`)

/** Null when images can be made, mounted and unmounted; else what failed. Tried, not guessed. */
export async function whyNoPowerCuts(): Promise<string | null> {
  const folder = mkdtempSync(join(imagePlace(), 'plumbline-probe-'))
  try {
    makeDisks(folder)
    await mountDisks(folder)
    await unmountDisks(folder)
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Empty file systems, not yet mounted. */
export function makeDisks(folder: string): void {
  const first = imageOf(folder, DISKS[0])
  writeFileSync(first, '')
  truncateSync(first, IMAGE_BYTES)
  command('mkfs.ext4', ['-q', '-F', '-E', 'nodiscard', first])
  for (const disk of DISKS.slice(1)) copyFileSync(first, imageOf(folder, disk))
}

export async function mountDisks(folder: string): Promise<void> {
  for (const disk of DISKS) {
    const at = join(folder, disk)
    mkdirSync(at, { recursive: true })
    await patiently(() => command('mount', ['-t', 'ext4', '-o', WEAK, imageOf(folder, disk), at]))
    if (existsSync(join(at, 'lost+found'))) rmdirSync(join(at, 'lost+found'))
    if (disk === 'proxy') folderOfTheProxy(at)
  }
}

/** Made by whoever set the proxy up, long before: we make none outside our own. */
function folderOfTheProxy(at: string): void {
  if (mkdirSync(join(at, 'traefik'), { recursive: true }) !== undefined) command('sync', ['-f', at])
}

/** Those that are mounted. */
export async function unmountDisks(folder: string): Promise<void> {
  for (const disk of DISKS) {
    const at = join(folder, disk)
    if (spawnSync('mountpoint', ['-q', at]).status === 0) await patiently(() => command('umount', [at]))
  }
}

/** What stands on the images right now, into another folder. Holes stay holes: memory is what the images cost. */
export function copyImages(from: string, to: string): void {
  for (const disk of DISKS) command('cp', ['--sparse=always', imageOf(from, disk), imageOf(to, disk)])
}

/** Other tests may hold the few loop devices of the machine for a moment, or the kernel a file that was just closed. */
async function patiently(deed: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return deed()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      await setTimeout(AGAIN_MS)
    }
  }
}

function command(program: string, words: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be run (${error.message})`)
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.trim()}`)
}

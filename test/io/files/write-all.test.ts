/** A call that writes less than asked is not an end: the rest follows, byte for byte. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAll } from '../../../src/io/files/write-temp.ts'
import { bytes, never, scratch, textAt } from './scratch.ts'

/** A real file that takes at most `most` bytes at a time, as a nearly full disk does. */
const reluctant = (handle: FileHandle, most: number): Pick<FileHandle, 'writev'> => ({
  writev: async <TBuffers extends readonly NodeJS.ArrayBufferView[]>(buffers: TBuffers) => {
    const all = Buffer.concat(
      buffers.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    )
    const { bytesWritten } = await handle.write(all.subarray(0, most))
    return { bytesWritten, buffers }
  },
})

describe('writing all chunks', () => {
  const chunks = ['one', '', 'twotwo', 'x', 'three'].map(bytes)

  it('writes everything once and in order, however little each call takes', async () => {
    for (const most of [1, 2, 3, 4, 9, 10, 14, 15, 1000]) {
      const path = join(scratch(), 'file')
      const handle = await open(path, 'wx')
      await writeAll(reluctant(handle, most), chunks, never)
      await handle.close()
      expect([most, textAt(path)]).toEqual([most, 'onetwotwoxthree'])
    }
  })

  it('writes more chunks than one call may take', async () => {
    const path = join(scratch(), 'file')
    const handle = await open(path, 'wx')
    await writeAll(
      handle,
      Array.from({ length: 5000 }, (_, i) => bytes(`${i},`)),
      never,
    )
    await handle.close()
    expect(textAt(path)).toBe(Array.from({ length: 5000 }, (_, i) => `${i},`).join(''))
  })

  it('ends with an error where a call takes nothing at all', async () => {
    const path = join(scratch(), 'file')
    const handle = await open(path, 'wx')
    await expect(writeAll(reluctant(handle, 0), chunks, never)).rejects.toMatchObject({ code: 'ENOSPC' })
    await handle.close()
  })
})

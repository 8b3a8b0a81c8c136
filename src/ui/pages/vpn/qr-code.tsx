/** A QR code, drawn on a canvas: the policy of the pages lets no picture in that is not at an address of ours. */
import { useEffect, useRef } from 'preact/hooks'

const MIN_SIDE = 280

export function QrCode({ of, label }: { readonly of: Blob; readonly label: string }) {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    void draw(of, ref.current)
  }, [of])
  return <canvas ref={ref} class="qr" role="img" aria-label={label} width={MIN_SIDE} height={MIN_SIDE} />
}

async function draw(image: Blob, canvas: HTMLCanvasElement | null): Promise<void> {
  const bitmap = await createImageBitmap(image)
  const context = canvas?.getContext('2d') ?? null
  if (canvas === null || context === null) return
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
}

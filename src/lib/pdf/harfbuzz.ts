import wasm from "harfbuzzjs/dist/harfbuzz.wasm"

// HarfBuzz, the text shaper of browsers. The package's own wrapper fetches and compiles its WebAssembly, which Workers
// do not allow; here it is a module of the bundle.

/** The exports that are used. Pointers and sizes are numbers. */
interface Exports {
  memory: WebAssembly.Memory
  __wasm_call_ctors(): void
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_get_upem(face: number): number
  hb_font_create(face: number): number
  hb_font_destroy(font: number): void
  hb_buffer_create(): number
  hb_buffer_destroy(buffer: number): void
  hb_buffer_set_direction(buffer: number, direction: number): void
  hb_buffer_set_flags(buffer: number, flags: number): void
  hb_buffer_guess_segment_properties(buffer: number): void
  hb_buffer_add_utf16(buffer: number, text: number, length: number, from: number, count: number): void
  hb_buffer_get_length(buffer: number): number
  hb_buffer_get_glyph_infos(buffer: number, length: number): number
  hb_buffer_get_glyph_positions(buffer: number, length: number): number
  hb_shape(font: number, buffer: number, features: number, count: number): void
}

/** Constants of HarfBuzz. */
const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = [4, 5]
const READ_ONLY = 1
/** Beginning and end of text. */
const BUFFER_FLAGS = 1 | 2
/** Bytes of hb_glyph_info_t and of hb_glyph_position_t. */
const ENTRY_SIZE = 20

/** A positioned glyph, lengths in em. */
export interface Glyph {
  id: number
  /** The index in the text at which its cluster begins. */
  cluster: number
  advance: number
  x: number
  y: number
}

export interface ShapedFont {
  /** Returns the glyphs of a text from left to right. */
  shape(text: string, rightToLeft: boolean): Glyph[]
}

let instance: Exports | undefined

function load(): Exports {
  if (instance) return instance
  const fail = () => {
    throw new Error("HarfBuzz aborted.")
  }
  const { exports } = new WebAssembly.Instance(wasm, {
    wasi_snapshot_preview1: { proc_exit: fail },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: fail,
      _setitimer_js: () => 0,
      emscripten_resize_heap(size: number) {
        const { memory } = exports as unknown as Exports
        return memory.grow(Math.ceil((size - memory.buffer.byteLength) / 65_536)) >= 0 ? 1 : 0
      },
    },
  })
  instance = exports as unknown as Exports
  instance.__wasm_call_ctors()
  return instance
}

/** Shapes the text of one document. `dispose()` frees its fonts. */
export class Shaper {
  private readonly hb = load()
  private readonly cleanups: (() => void)[] = []

  load(bytes: Uint8Array): ShapedFont {
    const { hb } = this
    const data = hb.malloc(bytes.length)
    new Uint8Array(hb.memory.buffer).set(bytes, data)
    const blob = hb.hb_blob_create(data, bytes.length, READ_ONLY, 0, 0)
    const face = hb.hb_face_create(blob, 0)
    const font = hb.hb_font_create(face)
    const unitsPerEm = hb.hb_face_get_upem(face)
    this.cleanups.push(() => {
      hb.hb_font_destroy(font)
      hb.hb_face_destroy(face)
      hb.hb_blob_destroy(blob)
      hb.free(data)
    })
    return { shape: (text, rightToLeft) => this.shape(font, unitsPerEm, text, rightToLeft) }
  }

  dispose() {
    for (const cleanup of this.cleanups.splice(0)) cleanup()
  }

  private shape(font: number, unitsPerEm: number, text: string, rightToLeft: boolean): Glyph[] {
    const { hb } = this
    const utf16 = hb.malloc(text.length * 2)
    const memory = new Uint16Array(hb.memory.buffer, utf16, text.length)
    for (let i = 0; i < text.length; i++) memory[i] = text.charCodeAt(i)
    const buffer = hb.hb_buffer_create()
    try {
      hb.hb_buffer_add_utf16(buffer, utf16, text.length, 0, text.length)
      hb.hb_buffer_set_direction(buffer, rightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT)
      hb.hb_buffer_set_flags(buffer, BUFFER_FLAGS)
      hb.hb_buffer_guess_segment_properties(buffer)
      hb.hb_shape(font, buffer, 0, 0)
      const count = hb.hb_buffer_get_length(buffer)
      const infos = hb.hb_buffer_get_glyph_infos(buffer, 0)
      const positions = hb.hb_buffer_get_glyph_positions(buffer, 0)
      const view = new DataView(hb.memory.buffer)
      return Array.from({ length: count }, (_, i) => {
        const [info, position] = [infos + i * ENTRY_SIZE, positions + i * ENTRY_SIZE]
        return {
          id: view.getUint32(info, true),
          cluster: view.getUint32(info + 8, true),
          advance: view.getInt32(position, true) / unitsPerEm,
          x: view.getInt32(position + 8, true) / unitsPerEm,
          y: view.getInt32(position + 12, true) / unitsPerEm,
        }
      })
    } finally {
      hb.hb_buffer_destroy(buffer)
      hb.free(utf16)
    }
  }
}

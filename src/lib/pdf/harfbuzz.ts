import wasm from "harfbuzzjs/dist/harfbuzz.wasm"

// HarfBuzz, the shaper that browsers use, as far as a line of text needs it. The package's own wrapper fetches and
// compiles its WebAssembly, which a Worker may not: here it is a module of the bundle.

/** What is called of it. Pointers and sizes are numbers. */
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

/** HarfBuzz's own numbers. */
const [LEFT_TO_RIGHT, RIGHT_TO_LEFT] = [4, 5]
const READ_ONLY = 1
/** The text begins and ends here. */
const FLAGS = 1 | 2
/** Bytes of a glyph's entry in each of its two lists. */
const ENTRY = 20

/** A glyph, lengths in sizes of its font. */
export interface Glyph {
  id: number
  /** Where its cluster begins in the text. */
  cluster: number
  advance: number
  x: number
  y: number
}

/** A font that is loaded into the shaper. */
export interface ShapedFont {
  /** A text's glyphs, from left to right. */
  shape(text: string, rightToLeft: boolean): Glyph[]
}

let instance: Exports | undefined

function load(): Exports {
  if (instance) return instance
  const fail = () => {
    throw new Error("HarfBuzz gave up.")
  }
  const { exports } = new WebAssembly.Instance(wasm, {
    wasi_snapshot_preview1: { proc_exit: fail },
    env: {
      _emscripten_runtime_keepalive_clear() {},
      _abort_js: fail,
      _setitimer_js: () => 0,
      emscripten_resize_heap(wanted: number) {
        const { memory } = exports as unknown as Exports
        return memory.grow(Math.ceil((wanted - memory.buffer.byteLength) / 65_536)) >= 0 ? 1 : 0
      },
    },
  })
  const made = exports as unknown as Exports
  made.__wasm_call_ctors()
  instance = made
  return made
}

/** Fonts and texts in the shaper's memory, for one document; what it holds is given back by `[Symbol.dispose]`. */
export class Shaper {
  private readonly hb = load()
  private readonly held: (() => void)[] = []

  load(bytes: Uint8Array): ShapedFont {
    const { hb } = this
    const data = hb.malloc(bytes.length)
    new Uint8Array(hb.memory.buffer).set(bytes, data)
    const blob = hb.hb_blob_create(data, bytes.length, READ_ONLY, 0, 0)
    const face = hb.hb_face_create(blob, 0)
    const font = hb.hb_font_create(face)
    const unit = hb.hb_face_get_upem(face)
    this.held.push(() => {
      hb.hb_font_destroy(font)
      hb.hb_face_destroy(face)
      hb.hb_blob_destroy(blob)
      hb.free(data)
    })
    return { shape: (text, rightToLeft) => this.shape(font, unit, text, rightToLeft) }
  }

  [Symbol.dispose]() {
    for (const giveBack of this.held.splice(0)) giveBack()
  }

  private shape(font: number, unit: number, text: string, rightToLeft: boolean): Glyph[] {
    const { hb } = this
    const units = hb.malloc(text.length * 2)
    const memory = new Uint16Array(hb.memory.buffer, units, text.length)
    for (let i = 0; i < text.length; i++) memory[i] = text.charCodeAt(i)
    const buffer = hb.hb_buffer_create()
    try {
      hb.hb_buffer_add_utf16(buffer, units, text.length, 0, text.length)
      hb.hb_buffer_set_direction(buffer, rightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT)
      hb.hb_buffer_set_flags(buffer, FLAGS)
      hb.hb_buffer_guess_segment_properties(buffer)
      hb.hb_shape(font, buffer, 0, 0)
      const count = hb.hb_buffer_get_length(buffer)
      const infos = hb.hb_buffer_get_glyph_infos(buffer, 0)
      const positions = hb.hb_buffer_get_glyph_positions(buffer, 0)
      const view = new DataView(hb.memory.buffer)
      return Array.from({ length: count }, (_, i) => {
        const [info, position] = [infos + i * ENTRY, positions + i * ENTRY]
        return {
          id: view.getUint32(info, true),
          cluster: view.getUint32(info + 8, true),
          advance: view.getInt32(position, true) / unit,
          x: view.getInt32(position + 8, true) / unit,
          y: view.getInt32(position + 12, true) / unit,
        }
      })
    } finally {
      hb.hb_buffer_destroy(buffer)
      hb.free(units)
    }
  }
}

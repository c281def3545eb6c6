import type { z } from "zod"
import type { Operation } from "../../src/http/operation.ts"

// A walk through the input schemas of operations, down to the fields of nested objects.

export interface InputField {
  /** Where it stands: `body.items[].quantity`. */
  path: string
  field: z.ZodType
}

interface Definition {
  type: string
  shape?: Record<string, Schema>
  element?: Schema
  valueType?: Schema
  options?: Schema[]
  innerType?: Schema
  in?: Schema
  out?: Schema
}
type Schema = z.ZodType & { _zod: { def: Definition } }

function* fieldsOf(schema: Schema, path: string): Generator<InputField> {
  const { shape, element, valueType, options = [], innerType, in: input, out } = schema._zod.def
  for (const [name, field] of Object.entries(shape ?? {})) {
    yield { path: `${path}.${name}`, field }
    yield* fieldsOf(field, `${path}.${name}`)
  }
  if (element) yield* fieldsOf(element, `${path}[]`)
  if (valueType) yield* fieldsOf(valueType, `${path}{}`)
  for (const part of [...options, innerType, input, out]) if (part) yield* fieldsOf(part, path)
}

/** Every field that an operation takes, in its query and its body, at any depth. */
export const inputFields = ({ inputs }: Operation): InputField[] =>
  Object.entries(inputs).flatMap(([part, schema]) => [...fieldsOf(schema as Schema, part)])

/** Whether a field may be left out. */
export const mayBeLeftOut = (field: z.ZodType): boolean => field.safeParse(undefined).success

import type { z } from "zod"
import type { Operation } from "../../src/http/operation.ts"

// Lists the fields of the input schemas of operations, including nested objects.

export interface InputField {
  /** Its path, such as `body.items[].quantity`. */
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

/** Every field of an operation's query and body, at any depth. */
export const inputFields = ({ inputs }: Operation): InputField[] =>
  Object.entries(inputs).flatMap(([part, schema]) => [...fieldsOf(schema as Schema, part)])

/** Whether a field is optional. */
export const mayBeLeftOut = (field: z.ZodType): boolean => field.safeParse(undefined).success

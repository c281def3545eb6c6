import type { ApiError } from "../lib/errors.ts"
import { useFrame } from "./page.tsx"
import { errorText } from "./problem-texts.ts"

/** Why a form was refused. */
export const FormError = ({ error }: { error: ApiError | undefined }) =>
  error ? (
    <p id="error" class="error" role="alert">
      {errorText(error, useFrame())}
    </p>
  ) : null

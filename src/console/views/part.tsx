import type { ComponentType } from "preact"
import { ErrorBoundary, lazy } from "preact-iso"
import { loadWithMessages } from "../messages/messages.ts"

/** A part of a view of another area, loaded on demand with its messages. The rest of the page does not wait for it. */
export function part<Props extends object>(
  catalog: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => preact.JSX.Element {
  const Loaded = lazy(() => loadWithMessages(catalog, load())) as ComponentType<Props>
  return (props) => (
    <ErrorBoundary>
      <Loaded {...props} />
    </ErrorBoundary>
  )
}

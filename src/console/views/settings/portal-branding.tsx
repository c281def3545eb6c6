import { useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { LookFields, SenderFields, toBrandingBody } from "./brand-fields.tsx"
import { BrandPreview, toPreview, useFormValues } from "./brand-preview.tsx"
import "./settings.css"

interface PortalFormProps {
  portal: DataOf<"/api/portal/{id}", "get">
  academy: DataOf<"/api/settings", "get">
  version: string
  refetch: () => Promise<unknown>
}

function PortalForm({ portal, academy, version, refetch }: PortalFormProps) {
  const container = useRef<HTMLDivElement>(null)
  const values = useFormValues(container)
  const change = useChange({
    call: (body: ReturnType<typeof toBrandingBody>) =>
      api.PUT("/api/portal/{id}", {
        params: { path: { id: portal.id } },
        body,
        headers: { "If-Match": version },
      }),
    invalidates: ["/api/portal"],
  })
  return (
    <div class="split" ref={container}>
      <Form
        submit={t("save")}
        onSubmit={async (submitted) => {
          await refetchOnConflict(() => change.mutateAsync(toBrandingBody(submitted)), refetch)
          await refetch()
        }}
      >
        <p class="quiet">{t("settings:portal.about", { academy: academy.effective.name })}</p>
        <LookFields brand={portal} />
        <SenderFields brand={portal} fallback={academy.senderName ?? portal.name} />
      </Form>
      <BrandPreview brand={toPreview(values, portal.name, academy)} />
    </div>
  )
}

/** The brand that the members of a portal see: a tab of the portal. */
export default function PortalBranding() {
  const id = Number(useRoute().params.id)
  const portal = useEditableRecord("/api/portal/{id}", { params: { path: { id } } })
  const academy = useRead("/api/settings")
  return (
    <Loaded query={portal}>
      {({ record, version }) => (
        <Loaded query={academy}>
          {(settings) => (
            <PortalForm portal={record} academy={settings} version={version} refetch={() => portal.refetch()} />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

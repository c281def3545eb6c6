import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { AnnouncementFields, announcementBody, useAudience } from "./announcement-fields.tsx"

/** The announcement's form, once it is known whom it is for. */
function Known({ of, version }: { of: Schemas["Announcement"]; version: string }) {
  const go = useGo()
  const audience = useAudience(of)
  const change = useChange({
    call: (body: ReturnType<typeof announcementBody>) =>
      api.PUT("/api/announcement/{id}", { params: { path: { id: of.id } }, body, headers: { "If-Match": version } }),
    changes: ["/api/announcement/tabularlist", "/api/student/announcements"],
  })
  return (
    <Loaded of={audience}>
      {(known) => (
        <Form
          submit={t("save")}
          onSubmit={async (values) => {
            await change.mutateAsync(announcementBody(values, of))
            go("/announcements")
          }}
        >
          <AnnouncementFields given={{ announcement: of, audience: known }} />
        </Form>
      )}
    </Loaded>
  )
}

/** An announcement that is changed. */
export default function EditAnnouncement() {
  const id = Number(useRoute().params.id)
  const found = useRecord("/api/announcement/{id}", { params: { path: { id } } })
  return (
    <Page
      title={t("announcements:announcement.edit")}
      within={{ href: "/console/announcements", label: t("nav.announcements") }}
    >
      <p>{t("announcements:announcement.edit.hint")}</p>
      <Loaded of={found}>{({ record, version }) => <Known of={record} version={version} />}</Loaded>
    </Page>
  )
}

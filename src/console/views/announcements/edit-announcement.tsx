import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { AnnouncementFields, toAnnouncementBody, useAudience } from "./announcement-fields.tsx"

function EditForm({ announcement, version }: { announcement: Schemas["Announcement"]; version: string }) {
  const go = useNavigate()
  const audience = useAudience(announcement)
  const change = useChange({
    call: (body: ReturnType<typeof toAnnouncementBody>) =>
      api.PUT("/api/announcement/{id}", {
        params: { path: { id: announcement.id } },
        body,
        headers: { "If-Match": version },
      }),
    invalidates: ["/api/announcement/tabularlist", "/api/student/announcements"],
  })
  return (
    <Loaded query={audience}>
      {(loadedAudience) => (
        <Form
          submit={t("save")}
          onSubmit={async (values) => {
            await change.mutateAsync(toAnnouncementBody(values, announcement))
            go("/announcements")
          }}
        >
          <AnnouncementFields initial={{ announcement, audience: loadedAudience }} />
        </Form>
      )}
    </Loaded>
  )
}

export default function EditAnnouncement() {
  const id = Number(useRoute().params.id)
  const announcement = useEditableRecord("/api/announcement/{id}", { params: { path: { id } } })
  return (
    <Page
      title={t("announcements:announcement.edit")}
      parent={{ href: "/console/announcements", label: t("nav.announcements") }}
    >
      <p>{t("announcements:announcement.edit.hint")}</p>
      <Loaded query={announcement}>
        {({ record, version }) => <EditForm announcement={record} version={version} />}
      </Loaded>
    </Page>
  )
}

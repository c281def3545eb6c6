import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { useFormDraft } from "../../ui/form-draft.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { AnnouncementFields, toAnnouncementBody, toAnnouncementText, useAudience } from "./announcement-fields.tsx"

interface EditFormProps {
  announcement: Schemas["Announcement"]
  version: string
  refetch: () => Promise<unknown>
}

function EditForm({ announcement, version, refetch }: EditFormProps) {
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
  const draft = useFormDraft({ name: `announcement/${announcement.id}`, version, read: toAnnouncementText })
  return (
    <Loaded query={audience}>
      {(loadedAudience) => (
        <Form
          submit={t("save")}
          onSubmit={async (values) => {
            await refetchOnConflict(() => change.mutateAsync(toAnnouncementBody(values, announcement)), refetch)
            draft.clear()
            go("/announcements")
          }}
          {...draft.formProps}
        >
          {draft.notice}
          <AnnouncementFields
            key={draft.key}
            initial={{ announcement, audience: loadedAudience }}
            text={draft.restored}
          />
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
      title={failedTitle(announcement) ?? t("announcements:announcement.edit")}
      parent={{ href: "/console/announcements", label: t("nav.announcements") }}
    >
      <Loaded query={announcement}>
        {({ record, version }) => (
          <>
            <p>{t("announcements:announcement.edit.hint")}</p>
            <EditForm announcement={record} version={version} refetch={() => announcement.refetch()} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

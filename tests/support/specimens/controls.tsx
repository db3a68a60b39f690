import { useState, type ReactNode } from 'react';
import { cents } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { GoalBar } from '#src/ui/goal-bar.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ArrowLeft, Images, Plus, Trash } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { Price } from '#src/ui/price.tsx';
import { ProgressBar, ProgressRing } from '#src/ui/progress.tsx';
import { SearchField } from '#src/ui/form/search-field.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { StickySaveBar } from '#src/ui/leave-guard.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';

/** Every control in every state. */
export function Controls() {
  return (
    <Main className="flex flex-col gap-8 pb-10">
      <PageHeader
        title="Spring Cup Final"
        subtitle="36 photos · 11.21.2026"
        back={
          <LinkButton to="/" variant="quiet" size="small">
            <ArrowLeft aria-hidden="true" /> Dashboard
          </LinkButton>
        }
        action={
          <Button>
            <Plus aria-hidden="true" /> Upload photos
          </Button>
        }
      />
      <TabLinks
        label="Areas of the gallery"
        tabs={[
          { label: 'Photos', to: '/?area=photos', current: true, count: 36 },
          { label: 'Settings', to: '/?area=settings', current: false },
          { label: 'Share', to: '/?area=share', current: false },
        ]}
      />
      <Buttons />
      <Dialogs />
      <Form />
      <States />
    </Main>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  );
}

function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <Section title="Buttons">
      <div className="flex flex-wrap items-center gap-3">
        <Button>Add to Cart</Button>
        <Button variant="secondary">Choose files</Button>
        <Button variant="quiet">Discard</Button>
        <Button variant="danger">Delete gallery</Button>
        <Button size="large" busy={busy && 'Submitting...'} onClick={() => setBusy(true)}>
          Get Download $9.00
        </Button>
        <Button disabled>Not now</Button>
        <IconButton label="Remove photo">
          <Trash aria-hidden="true" />
        </IconButton>
        <LinkButton to="/gallery" variant="secondary" size="small">
          Open gallery
        </LinkButton>
      </div>
    </Section>
  );
}

function Dialogs() {
  const [shown, setShown] = useState<'none' | 'dialog' | 'confirm'>('none');
  return (
    <Section title="Dialogs and toasts">
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => setShown('dialog')}>
          Invite contributors
        </Button>
        <Button variant="danger" onClick={() => setShown('confirm')}>
          Remove photo
        </Button>
        <Button variant="secondary" onClick={() => showToast('Galleries Saved Successfully', 'success')}>
          Show good news
        </Button>
        <Button variant="secondary" onClick={() => showToast('Error rotating image. Please contact support.', 'error')}>
          Show bad news
        </Button>
      </div>
      <Dialog
        open={shown === 'dialog'}
        onClose={() => setShown('none')}
        title="Invite contributors"
        footer={<Button onClick={() => setShown('none')}>Send invitation</Button>}
      >
        <TextField label="Email" type="email" hint="They get a link to upload photos." />
      </Dialog>
      <ConfirmDialog
        open={shown === 'confirm'}
        title="Remove Photo?"
        confirmLabel="Remove photo"
        onConfirm={() => setShown('none')}
        onCancel={() => setShown('none')}
      >
        Are you sure you want to remove this photo? This cannot be undone.
      </ConfirmDialog>
    </Section>
  );
}

function Form() {
  const [messages, setMessages] = useState<string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [search, setSearch] = useState('');
  return (
    <Section title="Form">
      <SearchField
        label="Search galleries"
        placeholder="Search by event, team, sport, etc"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onClear={() => setSearch('')}
      />
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setMessages(['Gallery name required.', 'Price per photo required.']);
          setAttempt(attempt + 1);
        }}
      >
        <ErrorList messages={messages} attempt={attempt} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="Gallery name" name="name" defaultValue="Spring Cup Final" errors={messages.slice(0, 1)} />
          <MoneyField label="Price per photo" name="price" defaultValue="4.00" hint="$0.00 makes the photos free." />
          <Select label="Organization" defaultValue="hawks">
            <option value="hawks">Hawks Soccer Club</option>
            <option value="tides">Tides Swim Team</option>
          </Select>
          <TextField label="Domain name" defaultValue="hawks-soccer" disabled />
        </div>
        <TextArea label="Note" placeholder="What should people know?" />
        <div className="grid gap-x-10 sm:grid-cols-2">
          <Switch label="Private" hint="Hidden from lists; people with the link can open it." defaultChecked />
          <Switch label="Show watermark" />
          <Checkbox label="I agree to the terms of use." />
          <Checkbox
            label="I am 13 or older."
            errors={messages.length > 0 ? ['This field is required'] : []}
            defaultChecked
          />
        </div>
        <StickySaveBar changed onDiscard={() => setMessages([])} />
      </form>
    </Section>
  );
}

function States() {
  return (
    <Section title="States">
      <div className="flex flex-wrap gap-2">
        <Badge>Private</Badge>
        <Badge tone="accent">Featured</Badge>
        <Badge tone="success">Paid out</Badge>
        <Badge tone="warning">Processing</Badge>
        <Badge tone="danger">Failed</Badge>
      </div>
      <Notice tone="warning">Test mode: no card is charged.</Notice>
      <Notice tone="success">Your images are ready for download!</Notice>
      <GoalBar
        salesCents={cents(30_000)}
        donationCents={cents(32_000)}
        targetCents={cents(100_000)}
        recipient="new goals"
      />
      <div className="flex items-center gap-6">
        <ProgressBar label="Uploading" percent={62} className="w-60" />
        <ProgressRing label="Downloading" percent={40} />
        <Price cents={cents(123_450)} />
        <DateText at={new Date('2026-11-21T17:00:00Z')} />
      </div>
      <Skeleton className="h-24 w-60" />
      <Card className="p-6">
        <EmptyState icon={<Images />} title="No photos yet" action={<Button>Upload photos</Button>} level={3}>
          Drop JPEG files anywhere on this page.
        </EmptyState>
      </Card>
    </Section>
  );
}

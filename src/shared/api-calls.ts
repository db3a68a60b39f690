/**
 * Every call of the API with what it takes and answers. Made from the product's OpenAPI document, and compared with it by
 * `tests/openapi.test.ts`; after a change of a call: `vitest run --project=unit tests/openapi.test.ts --update`.
 */
export interface ApiCalls {
  'DELETE /api/v1/affiliates/{id}/api_tokens/{tokenId}': {
    params: { id: number | string; tokenId: number | string };
    answer: { id: number; name: string; ending: string; scopes: ('galleries:read' | 'galleries:write' | 'photos:write' | 'orders:read' | 'reports:read')[]; made_by: string; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null };
  };
  'DELETE /api/v1/athletes/{id}': {
    params: { id: number | string };
    answer: null;
  };
  'DELETE /api/v1/contributor/photos/{photoId}': {
    params: { photoId: number | string };
    query: { gallery_id: string | number | boolean };
    answer: { removed: boolean; message: string };
  };
  'DELETE /api/v1/deletion-request': {
    answer: null;
  };
  'DELETE /api/v1/family': {
    answer: null;
  };
  'DELETE /api/v1/family/{child}': {
    params: { child: number | string };
    answer: null;
  };
  'DELETE /api/v1/galleries/{id}/collaborators/{inviteId}': {
    params: { id: number | string; inviteId: number | string };
    answer: null;
  };
  'DELETE /api/v1/galleries/{id}/delete_keyword': {
    params: { id: number | string };
    query?: { photo_id?: string | number | boolean; keyword_id?: string | number | boolean };
    answer: null;
  };
  'DELETE /api/v1/galleries/{id}/gallery_photos/{photoId}': {
    params: { id: number | string; photoId: number | string };
    answer: null;
  };
  'DELETE /api/v1/galleries/{id}/gallery_photos/{photoId}/exception': {
    params: { id: number | string; photoId: number | string };
    answer: null;
  };
  'DELETE /api/v1/organizations/{id}': {
    params: { id: number | string };
    query?: { org_id?: string | number | boolean };
    answer: null;
  };
  'DELETE /api/v1/organizations/{id}/members/{userId}': {
    params: { id: number | string; userId: number | string };
    answer: null;
  };
  'DELETE /api/v1/organizations/{id}/tax_rates': {
    params: { id: number | string };
    query?: { state?: string | number | boolean; zip_prefix?: string | number | boolean };
    answer: null;
  };
  'DELETE /api/v1/seasons/{id}': {
    params: { id: number | string };
    answer: null;
  };
  'DELETE /api/v1/teams/{id}': {
    params: { id: number | string };
    answer: null;
  };
  'DELETE /api/v1/webhook_endpoints/{id}': {
    params: { id: number | string };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}': {
    params: { id: number | string };
    query?: { org_id?: string | number | boolean; after?: string | number | boolean };
    answer: ({ id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null; stripe_sk?: null; stripe_sk_set?: boolean; stripe_sk_last4?: string | null }; contact_email: string | null; contact_phone_number?: string | null; billing_name?: string | null; billing_address?: string | null; billing_email?: string | null; billing_city?: string | null; billing_state?: string | null; billing_zip?: string | null; billing_phone_number?: string | null; tax_id?: string | null; contact_name?: string | null; time_zone?: string; watermark_url?: string | null; watermark_text?: string | null; watermark_placement?: 'tiled' | 'centred'; watermark_strength?: 'light' | 'normal' | 'strong'; user_details?: ({ id: number; first_name: string; last_name: string; email: string })[]; parent_organization: { id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null } | null; galleries: ({ id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string; preview: ({ id: number; gallery_id: number; image_url: string; name: string; width: number; height: number; thumbhash: string })[] })[]; galleries_next: string | null; stats_preview?: { total_sales: number; photos_purchased: number; revenue: string }; preview_order_count?: number; preview_photo_count?: number; preview_price?: number; total_order_count?: number; total_photo_count?: number; total_price?: number; promo_code?: string | null })[];
  };
  'GET /api/v1/affiliates/{id}/api_tokens': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { tokens: ({ id: number; name: string; ending: string; scopes: ('galleries:read' | 'galleries:write' | 'photos:write' | 'orders:read' | 'reports:read')[]; made_by: string; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/athletes': {
    params: { id: number | string };
    query?: { season?: string | number | boolean; team?: string | number | boolean; q?: string | number | boolean; consent?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { athletes: ({ id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number })[]; next: number | null; total: number };
  };
  'GET /api/v1/affiliates/{id}/athletes.csv': {
    params: { id: number | string };
    query?: { season?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/audit_log': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean; object_type?: string | number | boolean; object_id?: string | number | boolean };
    answer: { entries: ({ id: number; at: string; actor: { id: number; name: string } | null; organization_id: number | null; organization_name: string | null; action: string; object_type: string; object_id: string; object_name: string | null; details: unknown; ip: string | null })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/coupons': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { coupons: ({ id: number; code: string; kind: 'percent' | 'amount' | 'photos'; value: number; max_uses: number | null; max_per_person: number | null; minimum: number; first_day: string | null; last_day: string | null; gallery_ids: (number)[] | null; sheet_ids: (number)[] | null; state: 'active' | 'waiting' | 'used_up' | 'expired' | 'ended'; uses: number; sold: number; saved: number; created_at: string; ended_at: string | null; warnings: (string)[] })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/coupons/{couponId}': {
    params: { id: number | string; couponId: number | string };
    answer: { id: number; code: string; kind: 'percent' | 'amount' | 'photos'; value: number; max_uses: number | null; max_per_person: number | null; minimum: number; first_day: string | null; last_day: string | null; gallery_ids: (number)[] | null; sheet_ids: (number)[] | null; state: 'active' | 'waiting' | 'used_up' | 'expired' | 'ended'; uses: number; sold: number; saved: number; created_at: string; ended_at: string | null; warnings: (string)[] };
  };
  'GET /api/v1/affiliates/{id}/credit': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { settings: { active: boolean; amounts: ({ amount: number; bonus: number })[]; bonus_until: string | null }; codes: ({ id: number; order_id: number; last4: string; bought: number; bonus: number; left: number; is_gift: boolean; bought_at: string })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/deleted_galleries': {
    params: { id: number | string };
    query?: { after?: string | number | boolean };
    answer: { galleries: ({ id: number; name: string; photo_count: number; created_at: string; updated_at: string })[]; next: string | null };
  };
  'GET /api/v1/affiliates/{id}/exports': {
    params: { id: number | string };
    answer: { exports: ({ id: number; state: 'waiting' | 'making' | 'ready' | 'failed' | 'expired'; created_at: string; expires_at: string | null; photos: number; unreadable_photos: number; bytes: number; parts: ({ part: number; name: string; url: string; files: number; bytes: number })[] })[] };
  };
  'GET /api/v1/affiliates/{id}/exports/{exportId}/parts/{part}': {
    params: { id: number | string; exportId: number | string; part: number | string };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/galleries': {
    params: { id: number | string };
    query?: { page?: string | number | boolean; perPage?: string | number | boolean };
    answer: ({ id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string; gallery_photo: string })[];
  };
  'GET /api/v1/affiliates/{id}/orders': {
    params: { id: number | string };
    query?: { search?: string | number | boolean; status?: string | number | boolean; organization_id?: string | number | boolean; from?: string | number | boolean; to?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { orders: ({ id: number; vanity_id: string | null; status: string; created_at: string; buyer: string; email: string; photos: number; subtotal: number; tax: number; donation: number; total: number; refunded: number; organization: { id: number; name: string; domain_name: string } })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/orders.csv': {
    params: { id: number | string };
    query?: { search?: string | number | boolean; status?: string | number | boolean; organization_id?: string | number | boolean; from?: string | number | boolean; to?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/payouts': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { payouts: ({ id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null })[]; next: number | null };
  };
  'GET /api/v1/affiliates/{id}/plan': {
    params: { id: number | string };
    answer: { plan: 'free' | 'premium' | 'enterprise'; subscription: { price: number; paid_until: string; renews: boolean; past_due: boolean; card_brand: string | null; card_last4: string | null } | null };
  };
  'GET /api/v1/affiliates/{id}/price_sheets': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { price_sheets: ({ id: number; organization_id: number; name: string; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[] } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number })[]; early_bird: { percent: number; last_day: string } | null; shared_with_children: boolean; archived: boolean; galleries: ({ id: number; name: string })[]; gallery_count: number; common_price: number | null; sold: { orders: number; photos: number; sales: number } })[]; next: string | null };
  };
  'GET /api/v1/affiliates/{id}/roster_settings': {
    params: { id: number | string };
    answer: { mode: 'numbers' | 'private' | 'off'; unknown_consent: 'show' | 'family' | 'hide'; consent_yearly: boolean; hold_new_photos: boolean; chosen: boolean; not_published: number };
  };
  'GET /api/v1/affiliates/{id}/seasons': {
    params: { id: number | string };
    answer: { seasons: ({ id: number; name: string; first_day: string; last_day: string; current: boolean; teams: number; athletes: number })[] };
  };
  'GET /api/v1/affiliates/{id}/statements': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { organization: { id: number; name: string; domain_name: string }; statements: ({ number: string; month: string; from: string; to: string; closed: boolean; opening_balance: number; earned: number; paid_out: number; closing_balance: number })[]; next: string | null };
  };
  'GET /api/v1/affiliates/{id}/statements/{month}': {
    params: { id: number | string; month: number | string };
    answer: { number: string; month: string; from: string; to: string; closed: boolean; organization: { id: number; name: string; domain_name: string }; opening_balance: number; movements: { sales: number; donations: number; card_fees: number; share: number; refunds: number; disputes_held: number; disputes_freed: number; payouts: number; payouts_returned: number; settled: number; other: number }; closing_balance: number; orders: number; tax_collected: number; disputes_lost: number; held_for_disputes: number; own_account: { orders: number; sales: number; share: number; settled: number }; offers_saved?: number; reductions?: number; credit_sold?: number; credit_used?: number; galleries: ({ organization_id: number; gallery_id: number | null; name: string; photos: number; sales: number; donations: number; refunds: number; card_fees: number; share: number; disputes: number; net: number })[]; organizations: ({ id: number; name: string; domain_name: string; opening_balance: number; movements: { sales: number; donations: number; card_fees: number; share: number; refunds: number; disputes_held: number; disputes_freed: number; payouts: number; payouts_returned: number; settled: number; other: number }; closing_balance: number; orders: number; tax_collected: number; disputes_lost: number; held_for_disputes: number; own_account: { orders: number; sales: number; share: number; settled: number }; offers_saved?: number; reductions?: number; credit_sold?: number; credit_used?: number })[] };
  };
  'GET /api/v1/affiliates/{id}/statements/{month}.csv': {
    params: { id: number | string; month: number | string };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/statements/{month}.pdf': {
    params: { id: number | string; month: number | string };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/statements/{month}/lines': {
    params: { id: number | string; month: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { lines: ({ at: string; kind: string; words: string; organization: { id: number; name: string; domain_name: string }; order_id: number | null; sales: number; donations: number; tax: number; card_fees: number; share: number; refunds: number; disputes: number; payouts: number; other: number; change: number; offers_saved?: number; reductions?: number; credit_sold?: number; credit_used?: number })[]; next: string | null };
  };
  'GET /api/v1/affiliates/{id}/takedowns': {
    params: { id: number | string };
    query?: { state?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { takedowns: ({ id: number; state: 'open' | 'hidden' | 'kept' | 'deleted'; organization_id: number; gallery: { id: number; name: string; affiliate: string }; photo: { id: number; name: string; image_url: string | null; width: number | null; height: number | null; show_in_gallery: boolean; removed: boolean; sales_count: number }; reason: string | null; contact: string | null; guardian: boolean; hidden_first: boolean; asked_at: string; decided_at: string | null; decided_by: string | null; note: string })[]; next: number | null; open: number; mode: 'hide_first' | 'review' };
  };
  'GET /api/v1/affiliates/{id}/teams': {
    params: { id: number | string };
    query?: { season?: string | number | boolean };
    answer: { teams: ({ id: number; season_id: number; name: string; short_name: string; color: string | null; athletes: number })[] };
  };
  'GET /api/v1/affiliates/{id}/watermark': {
    params: { id: number | string };
    query?: { v?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/watermark_preview': {
    params: { id: number | string };
    query?: { placement?: string | number | boolean; strength?: string | number | boolean; text?: string | number | boolean; key?: string | number | boolean; t?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/affiliates/{id}/watermark_progress': {
    params: { id: number | string };
    answer: { total: number; done: number };
  };
  'GET /api/v1/affiliates/{id}/withdrawn_sales': {
    params: { id: number | string };
    answer: { sales: ({ order_id: number; photo_id: number | null; gallery_id: number | null; pass: string | null; photos: number; price: number; sold_at: string })[] };
  };
  'GET /api/v1/api_token': {
    answer: { id: number; name: string; scopes: ('galleries:read' | 'galleries:write' | 'photos:write' | 'orders:read' | 'reports:read')[]; expires_at: string | null; organization: { id: number; name: string; domain_name: string } };
  };
  'GET /api/v1/athletes/{id}': {
    params: { id: number | string };
    answer: { id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number; family_emails: (string)[]; merges: ({ athlete_id: number; name: string })[] };
  };
  'GET /api/v1/athletes/{id}/cards': {
    params: { id: number | string };
    answer: { cards: ({ id: number; code: string; made_at: string; first_opened_at: string | null; devices: number; consent: 'yes' | 'family' | 'no' | null })[] };
  };
  'GET /api/v1/athletes/{id}/orders': {
    params: { id: number | string };
    answer: { orders: ({ id: number; sold_at: string; total: number; of_family: boolean })[] };
  };
  'GET /api/v1/audit_log': {
    query?: { organization?: string | number | boolean; person?: string | number | boolean; action?: string | number | boolean; object_type?: string | number | boolean; object_id?: string | number | boolean; from?: string | number | boolean; to?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { entries: ({ id: number; at: string; actor: { id: number; name: string } | null; organization_id: number | null; organization_name: string | null; action: string; object_type: string; object_id: string; object_name: string | null; details: unknown; ip: string | null })[]; next: number | null };
  };
  'GET /api/v1/audit_log.csv': {
    query?: { organization?: string | number | boolean; person?: string | number | boolean; action?: string | number | boolean; object_type?: string | number | boolean; object_id?: string | number | boolean; from?: string | number | boolean; to?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/audit_log/{id}': {
    params: { id: number | string };
    answer: { id: number; at: string; actor: { id: number; name: string } | null; organization_id: number | null; organization_name: string | null; action: string; object_type: string; object_id: string; object_name: string | null; details: unknown; ip: string | null };
  };
  'GET /api/v1/books/balances.csv': {
    query?: { from?: string | number | boolean; to?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/books/journal.csv': {
    query?: { from?: string | number | boolean; to?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/bulk/roster/{importId}': {
    params: { importId: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { import_id: number | null; status: 'checked' | 'running' | 'finished' | 'stopped'; started_at: string | null; total: number; created: number; updated: number; skipped: number; failed: number; waiting: number; columns: ({ heading: string; samples: (string)[]; field: 'first_name' | 'last_name' | 'name' | 'number' | 'team' | 'season' | 'family_email' | 'consent' | 'external_id' | 'included_photos' | null })[]; asks: (string)[]; new_teams: (string)[]; moving: number; notices: (string)[]; preview: ({ row: number; cells: Record<string, string> })[]; sentences: { errors: number; warnings: number; changes: number } | null; rows: ({ row: number; result: 'created' | 'updated' | 'skipped' | 'failed' | 'waiting'; errors: (string)[]; warnings: (string)[]; changes: (string)[]; id: number | null })[] };
  };
  'GET /api/v1/bulk/roster/{importId}.csv': {
    params: { importId: number | string };
    query?: { result?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/bulk/{importId}': {
    params: { importId: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { import_id: number | null; kind: 'users' | 'galleries'; file_name: string; status: 'checked' | 'running' | 'finished' | 'stopped'; started_at: string | null; started_by: string | null; total: number; created: number; skipped: number; failed: number; waiting: number; notices: (string)[]; invitations: number | null; preview: ({ row: number; cells: Record<string, string> })[]; rows: ({ row: number; result: 'created' | 'skipped' | 'failed' | 'waiting'; errors: (string)[]; id: number | null })[] };
  };
  'GET /api/v1/bulk/{importId}.csv': {
    params: { importId: number | string };
    query?: { result?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/charges/{id}': {
    params: { id: number | string };
    answer: { status: 'none' | 'pending' | 'paid' | 'failed'; error: string | null };
  };
  'GET /api/v1/check-key': {
    query?: { contributeKey?: string | number | boolean };
    answer: { gallery: { id: number; name: string; organization: { id: number; name: string; domain_name: string } }; contributor: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null };
  };
  'GET /api/v1/contributor/photos': {
    query: { gallery_id: string | number | boolean; after?: string | number | boolean };
    answer: { photos: ({ id: number; name: string; state: 'processing' | 'failed' | 'waiting' | 'shown' | 'not_chosen' | 'withdrawn'; problem: string | null; image_url: string | null; width: number | null; height: number | null; thumbhash: string | null; may_withdraw: boolean; numbers?: (string)[] })[]; next: string | null };
  };
  'GET /api/v1/expert_questions': {
    query?: { after?: string | number | boolean };
    answer: { questions: ({ id: number; at: string; site: string; first_name: string; last_name: string; email: string; phone_number: string; company_name: string; question: string })[]; next: number | null };
  };
  'GET /api/v1/family/photos': {
    query?: { child?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { child: { id: number; label: string; team: string | null; number: string | null; consent: 'yes' | 'family' | 'no' | 'unknown'; hidden: boolean }; photos: ({ id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean })[]; next: string | null; total: number; price_per_photo: number | null; unpublished: number; included: { photos: number; left: number; text: string } | null; pass: { athlete_key: string; whose: string; price: number; photos: number; galleries: number; gallery_id: number; sheet_id: number; until: string } | null; offers: ({ id: number; name: string; price_per_photo: number; photo_count: number; is_private: boolean; of_child: number; offers: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string } | null })[] };
  };
  'GET /api/v1/galleries/{id}/collaborators': {
    params: { id: number | string };
    query?: { after?: string | number | boolean };
    answer: { link: { contribute_key: string; url: string; expires_at: string | null; is_expired: boolean; quota: number | null; used: number } | null; people: ({ email: string; name: string | null; invite: { id: number; sent_at: string; is_revoked: boolean } | null; photos: number; shown: number; waiting: number })[]; next: string | null; waiting: number; time_zone: string };
  };
  'GET /api/v1/galleries/{id}/contribute_qr': {
    params: { id: number | string };
    answer: null;
  };
  'GET /api/v1/galleries/{id}/contributions': {
    params: { id: number | string };
    query?: { after?: string | number | boolean };
    answer: { photos: ({ id: number; contributor_id: number; name: string; image_url: string; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready'; taken_at: string | null; is_blurry: boolean; similar_to: { id: number; name: string; is_shown: boolean } | null; numbers?: (string)[] })[]; contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null; waiting: number; sent_at: string })[]; next: string | null; total: number };
  };
  'GET /api/v1/galleries/{id}/events': {
    params: { id: number | string };
    answer: null;
  };
  'GET /api/v1/galleries/{id}/full': {
    params: { id: number | string };
    answer: ({ id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string; gallery_photo: ({ id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean })[] } | { id: number; name: string; organization_id: number; password_required: true; password: null; gallery_photo: ({ id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean })[] })[];
  };
  'GET /api/v1/galleries/{id}/gallery_photos': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean; keyword?: string | number | boolean; number?: string | number | boolean; team?: string | number | boolean; show?: string | number | boolean };
    answer: { photos: ({ id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean })[]; next: string | null; total: number };
  };
  'GET /api/v1/galleries/{id}/gallery_photos/{photoId}': {
    params: { id: number | string; photoId: number | string };
    query?: { size?: string | number | boolean; adminview?: string | number | boolean; download?: string | number | boolean; orderkey?: string | number | boolean; own?: string | number | boolean; v?: string | number | boolean; t?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/galleries/{id}/hold': {
    params: { id: number | string };
    answer: { athletes: number; photos: number; through: string | null; text: string | null };
  };
  'GET /api/v1/galleries/{id}/number_offers': {
    params: { id: number | string };
    query: { search: string | number | boolean };
    answer: { number: string | null; teams: ({ id: number; name: string; pass: { athlete_key: string; whose: string; price: number; photos: number; galleries: number; gallery_id: number; sheet_id: number; until: string } | null })[] };
  };
  'GET /api/v1/galleries/{id}/numbers': {
    params: { id: number | string };
    answer: { numbers: ({ team_id: number; team: string; number: string; photos: number })[] };
  };
  'GET /api/v1/galleries/{id}/other_galleries': {
    params: { id: number | string };
    query?: { q?: string | number | boolean };
    answer: ({ id: number; name: string; photo_count: number })[];
  };
  'GET /api/v1/galleries/{id}/photo_facts': {
    params: { id: number | string };
    query: { ids: string | number | boolean };
    answer: { photos: ({ id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean })[] };
  };
  'GET /api/v1/galleries/{id}/photo_layout': {
    params: { id: number | string };
    query?: { show?: string | number | boolean; sort?: string | number | boolean; keyword?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { photos: ({ id: number; ratio: number | null; shown: boolean; featured: boolean; failed: boolean })[]; next: string | null; total: number; counts: { default: number; onlyShowInGallery: number; onlyNotShowInGallery: number; withoutKeywords: number; failed: number } | null };
  };
  'GET /api/v1/galleries/{id}/qr-card.pdf': {
    params: { id: number | string };
    query?: { for?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/galleries/{id}/report': {
    params: { id: number | string };
    query?: { days?: string | number | boolean };
    answer: { unit: 'day' | 'week' | 'month'; totals: { orders: number; photos: number; sales: number; donations: number; likes: number; votes: number; visits: number }; steps: ({ day: string; orders: number; photos: number; sales: number; donations: number; likes: number; votes: number; visits: number })[]; best_sellers: ({ id: number; name: string; image_url: string; width: number; height: number; sold: number; sales: number })[] };
  };
  'GET /api/v1/galleries/{id}/tagging': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { photos: ({ id: number; image_url: string; width: number | null; height: number | null; captured_at: string | null; camera: string | null; tags: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; suggested: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; checked: boolean; show_in_gallery: boolean; published: boolean; taken: boolean })[]; next: string | null; done: number; total: number; keyword_numbers: number | null };
  };
  'GET /api/v1/galleries/{id}/teams': {
    params: { id: number | string };
    answer: { teams: ({ id: number; name: string; short_name: string })[]; players: ({ athlete_id: number; name: string; folded: string; team_id: number; number: string | null; consent: 'yes' | 'family' | 'no' | 'unknown' })[] };
  };
  'GET /api/v1/galleries/{id}/unlock': {
    params: { id: number | string };
    query?: { key?: string | number | boolean; to?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/gallery_choices': {
    query: { organization_id: string | number | boolean; q?: string | number | boolean };
    answer: ({ id: number; name: string; organization: string; active: boolean })[];
  };
  'GET /api/v1/oembed': {
    query: { url: string | number | boolean; maxwidth?: string | number | boolean; maxheight?: string | number | boolean; format?: string | number | boolean };
    answer: { version: '1.0'; type: 'rich'; title: string; author_name: string; author_url: string; provider_name: string; provider_url: string; cache_age: number; thumbnail_url?: string; thumbnail_width?: number; thumbnail_height?: number; html: string; width: number; height: number };
  };
  'GET /api/v1/orders/{id}': {
    params: { id: number | string };
    answer: { id: number; vanity_id: string | null; status: 'pending' | 'paid' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed'; error: string | null; first_name: string; last_name: string; email_address: string; subtotal: number; tax: number; tax_text?: string; additional_donation: string; total: number; refunded: number; created_at: string; organization: { id: number; name: string; tax_id: string | null; time_zone: string }; goals: ({ gallery_id: number; name: string; recipient: string; raised: number; target: number; brought: number })[]; order_photo: ({ id: number; order_key: string | null; withdrawn?: true; refunded?: true; refundable?: true; photo: { id: number; gallery_id: number; name: string; image_url: string } })[]; stripe_token: null; stripe_token_full: string | null; pricing?: ({ text: string; amount: number })[]; passes?: ({ id: number; kind: 'gallery_pass' | 'athlete_pass'; name: string; gallery_id: number | null; until: string; text: string; photo_count: number; new_since_download: number; order_key: string | null })[]; credit?: ({ last4: string; amount: number; left?: number })[]; credit_sold?: { code: string | null; last4: string; amount: number; bonus: number; bonus_until: string | null; left?: number; gift: { name: string; email: string | null; message: string; send_on: string; sent: boolean; returned: boolean; opened: boolean } | null } };
  };
  'GET /api/v1/orders/{id}/download.zip': {
    params: { id: number | string };
    query?: { pass?: string | number | boolean; new?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/orders/{id}/passes/{passId}/photos': {
    params: { id: number | string; passId: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { photos: ({ id: number; gallery_id: number; name: string; image_url: string; added_at: string })[]; next: string | null };
  };
  'GET /api/v1/organization_choices': {
    query: { of: string | number | boolean; q?: string | number | boolean; parent_id?: string | number | boolean };
    answer: ({ id: number; name: string; domain_name: string; parent_organization_id: number | null; parent_name: string | null; site: string; deleted?: boolean; free_tier: boolean; default_photo_price: number })[];
  };
  'GET /api/v1/organizations': {
    query?: { for_search?: string | number | boolean; q?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: ({ id: number; name: string; domain_name: string; logo_url: string | null; kind?: 'root' | 'organization' | 'affiliate' | 'chapter'; parent_organization_id?: number | null })[];
  };
  'GET /api/v1/organizations/by_id/{id}': {
    params: { id: number | string };
    answer: ({ id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null })[];
  };
  'GET /api/v1/organizations/{id}': {
    params: { id: number | string };
    answer: ({ id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null })[];
  };
  'GET /api/v1/organizations/{id}/members': {
    params: { id: number | string };
    answer: ({ id: number; first_name: string; last_name: string; email: string; role: number; role_id: number; joined_at: string; last_sign_in: string | null; is_invited: boolean })[];
  };
  'GET /api/v1/organizations/{id}/pictures/{picture}': {
    params: { id: number | string; picture: number | string };
    query?: { v?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/organizations/{id}/sponsors': {
    params: { id: number | string };
    answer: ({ day: string; slot: 'tablet' | 'mobile'; impressions: number; clicks: number })[];
  };
  'GET /api/v1/organizations/{id}/sponsors/{slot}': {
    params: { id: number | string; slot: number | string };
    answer: null;
  };
  'GET /api/v1/organizations/{id}/tax_rates': {
    params: { id: number | string };
    answer: ({ state: string; zip_prefix: string; rate: number; jurisdiction: string })[];
  };
  'GET /api/v1/organizations/{id}/terms': {
    params: { id: number | string };
    answer: { id: number; plan: 'free' | 'premium' | 'enterprise'; keeps_percent: number; takes_promo_codes: boolean; reports_buyer_columns: boolean; shown_on_home_page: boolean; subscription: { plan: string; status: 'active' | 'past_due' | 'ended'; paid_until: string; renews: boolean; price: number } | null };
  };
  'GET /api/v1/organizations/{id}/webhook_endpoints': {
    params: { id: number | string };
    answer: { webhook_endpoints: ({ id: number; organization_id: number; url: string; events: ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[]; of_affiliates: boolean; active: boolean; failing_since: string | null; paused_at: string | null; former_secret_until: string | null; created_at: string })[] };
  };
  'GET /api/v1/payouts': {
    query?: { after?: string | number | boolean; limit?: string | number | boolean; status?: string | number | boolean; search?: string | number | boolean };
    answer: { payouts: ({ id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } })[]; next: number | null };
  };
  'GET /api/v1/payouts.csv': {
    query?: { status?: string | number | boolean; search?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/payouts/bank.csv': {
    answer: null;
  };
  'GET /api/v1/payouts/{id}': {
    params: { id: number | string };
    answer: { id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } };
  };
  'GET /api/v1/payouts/{id}/bank.csv': {
    params: { id: number | string };
    answer: null;
  };
  'GET /api/v1/payouts/{id}/orders': {
    params: { id: number | string };
    query?: { after?: string | number | boolean };
    answer: { lines: ({ order_id: number; vanity_id: string; paid_at: string | null; amount: number; kind: 'sale' | 'carry' })[]; next: number | null };
  };
  'GET /api/v1/promo_codes': {
    query?: { organization_id?: string | number | boolean; after?: string | number | boolean; limit?: string | number | boolean };
    answer: { promo_codes: ({ id: number; organization: { id: number; name: string; domain_name: string; time_zone: string }; code: string; uses: number; max_uses: number; last_day: string | null; state: 'active' | 'used_up' | 'expired' | 'ended' | 'off'; created_at: string; ended_at: string | null })[]; next: number | null };
  };
  'GET /api/v1/promo_codes/{id}/redemptions': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean };
    answer: { redemptions: ({ id: number; redeemed_at: string; account: { id: number; name: string } | null })[]; next: number | null };
  };
  'GET /api/v1/seasons/{id}/next': {
    params: { id: number | string };
    answer: { season_id: number; status: 'running' | 'finished'; done: number; total: number };
  };
  'GET /api/v1/share_cards/galleries/{id}': {
    params: { id: number | string };
    query?: { photo?: string | number | boolean; v?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/share_cards/organizations/{id}': {
    params: { id: number | string };
    query?: { v?: string | number | boolean; only?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/teams/{id}/allowances': {
    params: { id: number | string };
    answer: { athletes: number; allowances: ({ athlete_id: number; photos: number; used: number; sheet_id: number | null; ends_on: string | null; ended: boolean })[] };
  };
  'GET /api/v1/teams/{id}/cards.pdf': {
    params: { id: number | string };
    query?: { layout?: string | number | boolean; paper?: string | number | boolean; athlete?: string | number | boolean };
    answer: null;
  };
  'GET /api/v1/version': {
    answer: { version: string; commit: string | null; unreleased: boolean; schema: { current: string | null; expected: string }; updates: ({ name: string; applied_at: string })[]; postgres: string; node: string; started_at: string };
  };
  'GET /api/v1/webhook_endpoints/{id}/deliveries': {
    params: { id: number | string };
    query?: { after?: string | number | boolean; limit?: string | number | boolean; state?: string | number | boolean };
    answer: { deliveries: ({ id: number; event_id: string; type: string; organization_id: number; organization_name: string; occurred_at: string; state: 'waiting' | 'delivered' | 'failed'; attempts: number; attempted_at: string | null; status: number | null; duration_ms: number | null; answer: string | null; next_attempt_at: string | null })[]; next: number | null };
  };
  'GET /users/current': {
    answer: ({ id: number; first_name: string; last_name: string; email: string; role_id: number; email_proven: boolean; organizations: ({ id: number; name: string; domain_name: string; kind: string; parent_organization_id: number | null; parent_organization: { id: number; name: string; domain_name: string } | null; free_tier: boolean; role: number })[] })[];
  };
  'POST /api/v1/affiliates/{id}/api_tokens': {
    params: { id: number | string };
    body: { name: string; scopes: readonly ('galleries:read' | 'galleries:write' | 'photos:write' | 'orders:read' | 'reports:read')[]; expires_in_days: number | null };
    answer: { id: number; name: string; ending: string; scopes: ('galleries:read' | 'galleries:write' | 'photos:write' | 'orders:read' | 'reports:read')[]; made_by: string; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; token: string };
  };
  'POST /api/v1/affiliates/{id}/athletes': {
    params: { id: number | string };
    body: { athlete: { first_name: string; last_name?: string | undefined; consent?: 'yes' | 'family' | 'no' | 'unknown' | undefined; external_id?: string | null | undefined; entries?: readonly ({ team_id: number | string; number?: string | null | undefined })[] | undefined; family_emails?: readonly (string)[] | undefined } };
    answer: { athlete: { id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number; family_emails: (string)[]; merges: ({ athlete_id: number; name: string })[] }; warnings: (string)[] };
  };
  'POST /api/v1/affiliates/{id}/collaborator': {
    params: { id: number | string };
    body: { email: string; gallery_id: number | string };
    answer: { id: number; email: string };
  };
  'POST /api/v1/affiliates/{id}/coupons': {
    params: { id: number | string };
    body: { coupon: { kind: 'percent' | 'amount' | 'photos'; value: number; code?: string | null | undefined; max_uses?: number | null | undefined; max_per_person?: number | null | undefined; minimum?: number | null | undefined; first_day?: string | null | undefined; last_day?: string | null | undefined; gallery_ids?: readonly (number | string)[] | null | undefined; sheet_ids?: readonly (number | string)[] | null | undefined } };
    answer: { id: number; code: string; kind: 'percent' | 'amount' | 'photos'; value: number; max_uses: number | null; max_per_person: number | null; minimum: number; first_day: string | null; last_day: string | null; gallery_ids: (number)[] | null; sheet_ids: (number)[] | null; state: 'active' | 'waiting' | 'used_up' | 'expired' | 'ended'; uses: number; sold: number; saved: number; created_at: string; ended_at: string | null; warnings: (string)[] };
  };
  'POST /api/v1/affiliates/{id}/coupons/{couponId}/end': {
    params: { id: number | string; couponId: number | string };
    answer: { id: number; code: string; kind: 'percent' | 'amount' | 'photos'; value: number; max_uses: number | null; max_per_person: number | null; minimum: number; first_day: string | null; last_day: string | null; gallery_ids: (number)[] | null; sheet_ids: (number)[] | null; state: 'active' | 'waiting' | 'used_up' | 'expired' | 'ended'; uses: number; sold: number; saved: number; created_at: string; ended_at: string | null; warnings: (string)[] };
  };
  'POST /api/v1/affiliates/{id}/exports': {
    params: { id: number | string };
    answer: { id: number; state: 'waiting' | 'making' | 'ready' | 'failed' | 'expired'; created_at: string; expires_at: string | null; photos: number; unreadable_photos: number; bytes: number; parts: ({ part: number; name: string; url: string; files: number; bytes: number })[] };
  };
  'POST /api/v1/affiliates/{id}/price_sheets': {
    params: { id: number | string };
    body: { price_sheet: { name: string; offers: readonly ({ id?: number | string | undefined; kind: 'bundle'; photos: number; price: number } | { id?: number | string | undefined; kind: 'steps'; steps: readonly ({ from: number; price: number })[] } | { id?: number | string | undefined; kind: 'gallery_pass'; price: number } | { id?: number | string | undefined; kind: 'athlete_pass'; price: number })[]; own_prices_take_part?: boolean | undefined; early_bird?: { percent: number; last_day: string } | null | undefined; shared_with_children?: boolean | undefined } };
    answer: { id: number; organization_id: number; name: string; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[] } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number })[]; early_bird: { percent: number; last_day: string } | null; shared_with_children: boolean; archived: boolean; galleries: ({ id: number; name: string })[]; gallery_count: number; common_price: number | null; sold: { orders: number; photos: number; sales: number }; warnings: (string)[] };
  };
  'POST /api/v1/affiliates/{id}/reports': {
    params: { id: number | string };
    body: { responseType: 'json' | 'csv'; for_org?: boolean | number | string | null | undefined; start_date?: string | null | undefined; end_date?: string | null | undefined };
    answer: Record<string, { name: string; promo_code: string | null; domain_name: string; totals: { orders: number; photos: number; sales: number; donations: number; tax: number; refunds: number; fees: number; share: number; disputed: number; net: number; revenue: string; sales_rev: number; gallery_donation: number; offers_saved?: number; included?: number; reductions?: number; credit_used?: number; credit_sold?: number }; galleries: Record<string, { name: string; totals: { orders: number; photos: number; sales: number; donations: number; tax: number; refunds: number; fees: number; share: number; disputed: number; net: number; revenue: string; sales_rev: number; gallery_donation: number; offers_saved?: number; included?: number; reductions?: number; credit_used?: number; credit_sold?: number } }>; codes?: Record<string, { name: string; totals: { orders: number; photos: number; sales: number; donations: number; tax: number; refunds: number; fees: number; share: number; disputed: number; net: number; revenue: string; sales_rev: number; gallery_donation: number; offers_saved?: number; included?: number; reductions?: number; credit_used?: number; credit_sold?: number } }> }> | string;
  };
  'POST /api/v1/affiliates/{id}/seasons': {
    params: { id: number | string };
    body: { season: { name: string; first_day: string; last_day: string } };
    answer: { id: number; name: string; first_day: string; last_day: string; current: boolean; teams: number; athletes: number };
  };
  'POST /api/v1/affiliates/{id}/teams': {
    params: { id: number | string };
    body: { team: { season_id?: number | string | undefined; name: string; short_name?: string | undefined; color?: string | null | undefined } };
    answer: { id: number; season_id: number; name: string; short_name: string; color: string | null; athletes: number };
  };
  'POST /api/v1/athletes/{id}/cards': {
    params: { id: number | string };
    body: { replaces?: number | string | null | undefined; code?: string | undefined } | null;
    answer: { cards: ({ id: number; code: string; made_at: string; first_opened_at: string | null; devices: number; consent: 'yes' | 'family' | 'no' | null })[] };
  };
  'POST /api/v1/athletes/{id}/merge': {
    params: { id: number | string };
    body: { into: number | string };
    answer: { athlete: { id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number; family_emails: (string)[]; merges: ({ athlete_id: number; name: string })[] }; merge_id: number; hidden: number; shown: number };
  };
  'POST /api/v1/athletes/{id}/merge/undo': {
    params: { id: number | string };
    answer: { athlete: { id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number; family_emails: (string)[]; merges: ({ athlete_id: number; name: string })[] }; merge_id: number; hidden: number; shown: number };
  };
  'POST /api/v1/bulk/galleries': {
    query?: { dry_run?: string | number | boolean; wait?: string | number | boolean };
    body: { rows: readonly (Record<string, string | number | boolean | null>)[] } | null;
    answer: { import_id: number | null; kind: 'users' | 'galleries'; file_name: string; status: 'checked' | 'running' | 'finished' | 'stopped'; started_at: string | null; started_by: string | null; total: number; created: number; skipped: number; failed: number; waiting: number; notices: (string)[]; invitations: number | null; preview: ({ row: number; cells: Record<string, string> })[]; rows: ({ row: number; result: 'created' | 'skipped' | 'failed' | 'waiting'; errors: (string)[]; id: number | null })[] };
  };
  'POST /api/v1/bulk/roster': {
    query: { dry_run?: string | number | boolean; wait?: string | number | boolean; affiliate_id: string | number | boolean; columns?: string | number | boolean; season_id?: string | number | boolean; team?: string | number | boolean; moves?: string | number | boolean; limit?: string | number | boolean };
    body: { rows: readonly (Record<string, string | number | boolean | null>)[] } | null;
    answer: { import_id: number | null; status: 'checked' | 'running' | 'finished' | 'stopped'; started_at: string | null; total: number; created: number; updated: number; skipped: number; failed: number; waiting: number; columns: ({ heading: string; samples: (string)[]; field: 'first_name' | 'last_name' | 'name' | 'number' | 'team' | 'season' | 'family_email' | 'consent' | 'external_id' | 'included_photos' | null })[]; asks: (string)[]; new_teams: (string)[]; moving: number; notices: (string)[]; preview: ({ row: number; cells: Record<string, string> })[]; sentences: { errors: number; warnings: number; changes: number } | null; rows: ({ row: number; result: 'created' | 'updated' | 'skipped' | 'failed' | 'waiting'; errors: (string)[]; warnings: (string)[]; changes: (string)[]; id: number | null })[] };
  };
  'POST /api/v1/bulk/users': {
    query?: { dry_run?: string | number | boolean; wait?: string | number | boolean };
    body: { rows: readonly (Record<string, string | number | boolean | null>)[] } | null;
    answer: { import_id: number | null; kind: 'users' | 'galleries'; file_name: string; status: 'checked' | 'running' | 'finished' | 'stopped'; started_at: string | null; started_by: string | null; total: number; created: number; skipped: number; failed: number; waiting: number; notices: (string)[]; invitations: number | null; preview: ({ row: number; cells: Record<string, string> })[]; rows: ({ row: number; result: 'created' | 'skipped' | 'failed' | 'waiting'; errors: (string)[]; id: number | null })[] };
  };
  'POST /api/v1/change-email': {
    body: { email: string };
    answer: object;
  };
  'POST /api/v1/change-email/confirm': {
    body: { token: string };
    answer: null;
  };
  'POST /api/v1/charges/': {
    body: { token?: null | string | { id: string } | { token: { id: string } } | null | undefined; type: 'upgrade'; affiliate_id: number | string };
    answer: { affiliate: { id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null }; card: { last4: string; exp_month: number; exp_year: number } } | { affiliate: { id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null }; card: null; status: 'pending'; message: string; requires_action?: { client_secret: string } };
  };
  'POST /api/v1/confirm-email': {
    body: { token: string };
    answer: null;
  };
  'POST /api/v1/confirm-email/link': {
    answer: { email: string };
  };
  'POST /api/v1/confirm-password': {
    body: { password: string };
    answer: null;
  };
  'POST /api/v1/contributor': {
    body: { contributeKey: string; photos: readonly ({ key?: string | undefined; image_url?: string | undefined; name?: string | null | undefined })[]; batch?: string | undefined; name: string; email: string; site?: string | null | undefined; instagram?: string | null | undefined };
    answer: { accepted: number };
  };
  'POST /api/v1/credit/balance': {
    body: { code: string; from_email?: boolean | undefined };
    answer: { balance: number; bonus: number; bonus_until: string | null };
  };
  'POST /api/v1/credit/{id}/pay_out': {
    params: { id: number | string };
    answer: { paid_out: number; message: string };
  };
  'POST /api/v1/credit_orders': {
    body: { org_id: number | string; amount: number; bonus?: number | undefined; gift?: { name: string; email: string; message?: string | undefined; send_on?: string | null | undefined } | null | undefined; user: { first_name: string; last_name: string; email: string; confirm_email: string; zip?: string | null | undefined }; checkout_key: string; stripe_token?: null | string | { id: string } | { token: { id: string } } | undefined };
    answer: { vanity_id: string; status: 'pending' | 'paid' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed'; total: number; requires_action?: { client_secret: string } };
  };
  'POST /api/v1/deletion-request': {
    answer: object;
  };
  'POST /api/v1/erasures': {
    body: { email: string; dry_run?: boolean | undefined; requested?: boolean | undefined };
    answer: { dry_run: boolean; goes: ({ what: string; rows: number })[]; stays: ({ what: string; rows: number | null; why: string })[]; notes: (string)[]; blocked: (string)[] };
  };
  'POST /api/v1/failed_emails/discard': {
    body: { ids?: readonly (number)[] | undefined; all?: true | undefined };
    answer: { count: number };
  };
  'POST /api/v1/failed_emails/retry': {
    body: { ids?: readonly (number)[] | undefined; all?: true | undefined };
    answer: { count: number };
  };
  'POST /api/v1/failed_jobs/discard': {
    body: { ids?: readonly (string)[] | undefined; job?: string | undefined; all?: true | undefined };
    answer: { count: number };
  };
  'POST /api/v1/failed_jobs/retry': {
    body: { ids?: readonly (string)[] | undefined; job?: string | undefined; all?: true | undefined };
    answer: { count: number };
  };
  'POST /api/v1/family': {
    body: { code?: string | undefined; key?: string | undefined };
    answer: { child: { id: number; label: string; team: string | null; number: string | null } };
  };
  'POST /api/v1/family/{child}/consent': {
    params: { child: number | string };
    body: { consent: 'yes' | 'family' | 'no' };
    answer: { consent: 'yes' | 'family' | 'no' | 'unknown'; hidden: number; shown: number; message: string };
  };
  'POST /api/v1/family/{child}/forget_us': {
    params: { child: number | string };
    answer: { message: string };
  };
  'POST /api/v1/family/{child}/not_mine': {
    params: { child: number | string };
    answer: { message: string };
  };
  'POST /api/v1/galleries/': {
    body: { gallery: { organization_id: number | string; name: string; price_per_photo: number; photos_by?: string | undefined; is_private?: boolean | undefined; display_watermark?: boolean | undefined; display_goal?: boolean | undefined; goal_description?: string | null | undefined; target_goal?: '' | null | number | undefined; password_required?: boolean | undefined; password?: string | null | undefined; allow_public_contributions?: boolean | undefined; allow_voting?: boolean | undefined; price_sheet_id?: number | string | null | undefined }; client_key?: string | undefined; photos?: readonly (unknown)[] | null | undefined };
    answer: { id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string; gallery_photo: (unknown)[] };
  };
  'POST /api/v1/galleries/{id}/add_keywords': {
    params: { id: number | string };
    body: { photo: { id: number | string; keywords: readonly (string | { name: string })[] } };
    answer: { keywords: ({ id: number; name: string })[] };
  };
  'POST /api/v1/galleries/{id}/contribute_key': {
    params: { id: number | string };
    body: { action: 'rotate' | 'change' | 'revoke'; expires_at?: string | null | undefined; quota?: number | null | undefined };
    answer: { contribute_key: string | null; expires_at: string | null; quota: number | null };
  };
  'POST /api/v1/galleries/{id}/gallery_photos': {
    params: { id: number | string };
    body: { photo: { key?: string | undefined; image_url?: string | undefined; name?: string | null | undefined; batch?: string | null | undefined } };
    answer: { id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/known': {
    params: { id: number | string };
    body: { sha256: readonly (string)[] };
    answer: { known: (string)[] };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/move': {
    params: { id: number | string };
    body: { ids: readonly (number | string)[]; gallery_id: number | string };
    answer: { moved: ({ id: number; new_id: number })[]; stayed: (number)[] };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/remove': {
    params: { id: number | string };
    body: { ids: readonly (number | string)[] };
    answer: { removed: number };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/add_like': {
    params: { id: number | string; photoId: number | string };
    answer: { likes: number; liked: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/add_vote': {
    params: { id: number | string; photoId: number | string };
    answer: { votes: number; voted: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/remove_like': {
    params: { id: number | string; photoId: number | string };
    answer: { likes: number; liked: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/remove_vote': {
    params: { id: number | string; photoId: number | string };
    answer: { votes: number; voted: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/rotate': {
    params: { id: number | string; photoId: number | string };
    body: { turns?: 1 | 2 | 3 | undefined } | null;
    answer: { id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/takedown': {
    params: { id: number | string; photoId: number | string };
    body: { reason: string; contact: string; guardian?: boolean | undefined };
    answer: { message: string };
  };
  'POST /api/v1/galleries/{id}/gallery_photos/{photoId}/takedown_form': {
    params: { id: number | string; photoId: number | string };
    answer: null;
  };
  'POST /api/v1/galleries/{id}/hold/none': {
    params: { id: number | string };
    body: { through: string };
    answer: { released: number; shown: number };
  };
  'POST /api/v1/galleries/{id}/inactive': {
    params: { id: number | string };
    answer: ({ id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string })[];
  };
  'POST /api/v1/galleries/{id}/tagging/keywords': {
    params: { id: number | string };
    answer: { tagged: number; left: number; more: boolean };
  };
  'POST /api/v1/galleries/{id}/tagging/take': {
    params: { id: number | string };
    body: { count?: number | undefined };
    answer: { photo_ids: (number)[]; until: string | null };
  };
  'POST /api/v1/galleries/{id}/unlock': {
    params: { id: number | string };
    body: { password?: string | undefined; key?: string | undefined };
    answer: { unlocked: true };
  };
  'POST /api/v1/galleries/{id}/unlock_form': {
    params: { id: number | string };
    answer: null;
  };
  'POST /api/v1/galleries/{id}/update_ordering': {
    params: { id: number | string };
    query?: { from?: string | number | boolean; to?: string | number | boolean; photo_id?: string | number | boolean; after_id?: string | number | boolean };
    answer: { photo_ids: (number)[] };
  };
  'POST /api/v1/galleries/{id}/visits': {
    params: { id: number | string };
    answer: null;
  };
  'POST /api/v1/orders': {
    body: { order: { user: { first_name: string; last_name: string; email: string; confirm_email: string; zip?: string | null | undefined }; taxes: number; subtotal: number; checkout_key: string; charge?: number | undefined; donation?: string | undefined; org_id: number | string; donation_gallery_id?: number | string | null | undefined }; stripe_token?: null | string | { id: string } | { token: { id: string } } | undefined; items: readonly ({ id: number | string; gallery_id: number | string; sales_price: number })[]; codes?: readonly (string)[] | undefined; passes?: readonly ({ kind: 'gallery_pass' | 'athlete_pass'; gallery_id?: number | string | null | undefined; athlete_key?: string | null | undefined })[] | undefined };
    answer: { vanity_id: string; status: 'pending' | 'paid' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed'; total: number; requires_action?: { client_secret: string } };
  };
  'POST /api/v1/orders/admin-report': {
    query?: { limit?: string | number | boolean; after?: string | number | boolean };
    body: { org_id?: '' | number | string | null | undefined; affiliate_id?: '' | number | string | null | undefined; gallery_id?: '' | number | string | null | undefined; date_range?: unknown | undefined; show_reconciled?: boolean | null | undefined; start_date?: string | null | undefined; end_date?: string | null | undefined };
    answer: ({ id: number; name: string; domain_name: string; parent_organization_id: number | null; totals: { orders: number; photos: number; sales: number; donations: number; tax: number; refunds: number; fees: number; share: number; disputed: number; net: number; revenue: string; sales_rev: number; gallery_donation: number; offers_saved?: number; included?: number; reductions?: number; credit_used?: number; credit_sold?: number }; complete_orders: ({ id: number; created_at: string; first_name: string; last_name: string; email_address: string; subtotal: number; additional_donation: string; tax: number; total: number; refunded: number; fee: number; share: number; disputed: number; net: number; credit_used?: number; status: 'paid' | 'partially_refunded' | 'refunded' | 'disputed'; stripe_response: string; reconciled: boolean; reconciled_at: string | null; payout_id: number | null; payout_status: string | null })[]; next: number | null })[];
  };
  'POST /api/v1/orders/admin-report-csv.csv': {
    body: { org_id?: '' | number | string | null | undefined; affiliate_id?: '' | number | string | null | undefined; gallery_id?: '' | number | string | null | undefined; date_range?: unknown | undefined; show_reconciled?: boolean | null | undefined; start_date?: string | null | undefined; end_date?: string | null | undefined };
    answer: string;
  };
  'POST /api/v1/orders/bulk-pay-out': {
    body: { ids: readonly (number)[] };
    answer: { payouts: ({ id: number; organization_id: number; amount: number })[]; results: ({ id: number; result: 'paid_out' | 'already_paid' | 'not_eligible'; payout_id: number | null; reason: 'unknown' | 'unpaid' | 'own_account' | 'disputed' | 'refunded' | 'too_new' | 'nothing_left' | 'negative_balance' | null; message: string | null })[] };
  };
  'POST /api/v1/orders/find': {
    body: { email: string };
    answer: { message: string };
  };
  'POST /api/v1/orders/quote': {
    body: { order: { user?: { zip?: string | null | undefined } | null | undefined; taxes?: number | null | undefined; subtotal?: number | null | undefined; checkout_key?: string | null | undefined; charge?: number | null | undefined; donation?: string | undefined; org_id: number | string; donation_gallery_id?: number | string | null | undefined }; stripe_token?: unknown | undefined; items: readonly ({ id: number | string; gallery_id: number | string; sales_price?: number | null | undefined })[]; codes?: readonly (string)[] | undefined; passes?: readonly ({ kind: 'gallery_pass' | 'athlete_pass'; gallery_id?: number | string | null | undefined; athlete_key?: string | null | undefined })[] | undefined };
    answer: { subtotal: number; tax: number; tax_text?: string; donation: number; total: number; charge_needed: boolean; items: ({ id: number; gallery_id: number; name: string; sales_price: number })[]; galleries: ({ id: number; name: string; goal: { recipient: string; raised: number; target: number } | null })[]; singles?: number; offers?: ({ id: number; kind: 'bundle' | 'steps' | 'gallery_pass' | 'athlete_pass'; name: string; photo_ids: (number)[]; open_slots: number; price: number; single_sum: number; text: string })[]; reduction?: { kind: 'coupon' | 'early_bird'; name: string; amount: number; text: string } | null; credit?: ({ last4: string; amount: number; left?: number })[]; charge?: number; hints?: ({ text: string; photos: number; costs: number })[]; refused_codes?: ({ code: string; error: string })[]; pricing?: ({ text: string; amount: number })[]; notes?: (string)[] };
  };
  'POST /api/v1/orders/standing': {
    body: { checkout_key: string };
    answer: { vanity_id: string | null; status: 'pending' | 'paid' | 'failed' | 'partially_refunded' | 'refunded' | 'disputed' | null };
  };
  'POST /api/v1/orders/{id}/receipt': {
    params: { id: number | string };
    answer: { message: string };
  };
  'POST /api/v1/orders/{id}/refund_quote': {
    params: { id: number | string };
    body: { photos?: readonly (number | string)[] | null | undefined; passes?: readonly (number | string)[] | null | undefined };
    answer: { amount: number; text: string | null };
  };
  'POST /api/v1/orders/{id}/refund_requests': {
    params: { id: number | string };
    body: { amount?: number | null | undefined; photos?: readonly (number | string)[] | null | undefined; passes?: readonly (number | string)[] | null | undefined; reason: string };
    answer: { id: number; order_id: number; amount: number | null; photos?: (number)[]; passes?: (number)[]; reason: string; state: 'open' | 'given' | 'declined'; asked_by: string | null; asked_at: string; decided_by: string | null; decided_at: string | null; note: string };
  };
  'POST /api/v1/orders/{id}/refunds': {
    params: { id: number | string };
    body: { amount?: number | null | undefined; photos?: readonly (number | string)[] | null | undefined; passes?: readonly (number | string)[] | null | undefined; reason: string; refund_key: string };
    answer: { refund: { id: number; order_id: number; amount: number; state: 'pending' | 'given' | 'refused'; photos?: (number)[]; passes?: (number)[]; reason: string | null; error: string | null; given_by: string | null; created_at: string; decided_at: string | null }; refunded: number; message: string };
  };
  'POST /api/v1/organizations': {
    body: { organization: { name: string; logo_url?: string | null | undefined; contact_email: string; contact_name?: string | null | undefined; domain_name?: string | null | undefined }; password: string };
    answer: { id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null }; contact_email: string | null };
  };
  'POST /api/v1/organizations/sign_up': {
    body: { user: { first_name: string; last_name: string; email: string; password: string; zip?: string | null | undefined; tax_id?: string | null | undefined }; affiliateInfo: { affiliateOrg: string; affiliateName?: string | undefined; domain_name?: string | undefined }; promoCode?: string | null | undefined; org?: { id: number | string } | null | undefined; freeTier?: boolean | undefined; bulk_upload?: boolean | undefined; client_key?: string | undefined; agreeToTerms?: unknown | undefined; confirmAgeAndPlace?: unknown | undefined; stripe_token?: null | string | { id: string } | { token: { id: string } } | undefined };
    answer: ({ id: number; first_name: string; last_name: string; email: string; role_id: number; email_proven: boolean; organizations: ({ id: number; name: string; domain_name: string; kind: string; parent_organization_id: number | null; parent_organization: { id: number; name: string; domain_name: string } | null; free_tier: boolean; role: number })[] })[];
  };
  'POST /api/v1/organizations/{id}/members': {
    params: { id: number | string };
    body: { email: string; first_name?: string | null | undefined; last_name?: string | null | undefined };
    answer: { id: number; first_name: string; last_name: string; email: string; role: number; role_id: number; joined_at: string; last_sign_in: string | null; is_invited: boolean; is_new: boolean };
  };
  'POST /api/v1/organizations/{id}/members/{userId}/password_letter': {
    params: { id: number | string; userId: number | string };
    answer: object;
  };
  'POST /api/v1/organizations/{id}/sponsor_views': {
    params: { id: number | string };
    body: { slot: 'tablet' | 'mobile' };
    answer: null;
  };
  'POST /api/v1/organizations/{id}/webhook_endpoints': {
    params: { id: number | string };
    body: { webhook_endpoint: { url: string; events: readonly ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[]; of_affiliates?: boolean | undefined } };
    answer: { webhook_endpoint: { id: number; organization_id: number; url: string; events: ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[]; of_affiliates: boolean; active: boolean; failing_since: string | null; paused_at: string | null; former_secret_until: string | null; created_at: string }; secret: string };
  };
  'POST /api/v1/payouts': {
    body: { reviewed_at: string; organizations: readonly ({ id: number; amount: number })[] };
    answer: { payouts: ({ id: number; organization_id: number; amount: number })[]; results: ({ organization_id: number; result: 'paid_out' | 'changed' | 'nothing_due'; payout_id: number | null; amount: number })[] };
  };
  'POST /api/v1/payouts/confirm': {
    body: { ids: readonly (number)[]; reference: string };
    answer: { payouts: ({ id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } })[]; refused: ({ id: number; message: string })[] };
  };
  'POST /api/v1/payouts/settlements': {
    body: { organization_id: number; amount: number; reference: string };
    answer: { id: number; organization_id: number; amount: number; reference: string };
  };
  'POST /api/v1/payouts/{id}/confirm': {
    params: { id: number | string };
    body: { reference: string };
    answer: { id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } };
  };
  'POST /api/v1/payouts/{id}/fail': {
    params: { id: number | string };
    body: { reason: string };
    answer: { id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } };
  };
  'POST /api/v1/payouts/{id}/return': {
    params: { id: number | string };
    body: { reason: string };
    answer: { id: number; organization_id: number; organization_name: string; amount: number; status: 'created' | 'submitted' | 'paid' | 'failed' | 'canceled' | 'returned'; reference: string | null; order_count: number; sales_from: string | null; sales_to: string | null; created_at: string; decided_at: string | null; returned_at: string | null; failure_reason: string | null; created_by: { id: number; name: string } | null; approved_by: { id: number; name: string } | null; returned_by: { id: number; name: string } | null; needs_second_person: boolean; payee: { name: string; address: string | null } };
  };
  'POST /api/v1/policy': {
    query?: { timestamp?: string | number | boolean; gallery_id?: string | number | boolean; settings_page?: string | number | boolean };
    body: { affiliate_id?: number | string | undefined; contributeKey?: string | undefined; filename: string; kind?: 'logo' | 'watermark' | 'home_image' | 'tablet_ad' | 'mobile_ad' | undefined };
    answer: { error: false; url: string; key: string; acl: string; 'Content-Type': string; success_action_status: string; policy: string };
  };
  'POST /api/v1/price_sheets/{id}/archive': {
    params: { id: number | string };
    body: { release?: boolean | undefined } | null;
    answer: { id: number; organization_id: number; name: string; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[] } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number })[]; early_bird: { percent: number; last_day: string } | null; shared_with_children: boolean; archived: boolean; galleries: ({ id: number; name: string })[]; gallery_count: number; common_price: number | null; sold: { orders: number; photos: number; sales: number }; warnings: (string)[] };
  };
  'POST /api/v1/promo_codes': {
    body: { promo_code: { organization_id: number | string; code?: string | null | undefined; max_uses: number; last_day?: string | null | undefined } };
    answer: { id: number; organization: { id: number; name: string; domain_name: string; time_zone: string }; code: string; uses: number; max_uses: number; last_day: string | null; state: 'active' | 'used_up' | 'expired' | 'ended' | 'off'; created_at: string; ended_at: string | null };
  };
  'POST /api/v1/promo_codes/{id}/end': {
    params: { id: number | string };
    answer: { id: number; organization: { id: number; name: string; domain_name: string; time_zone: string }; code: string; uses: number; max_uses: number; last_day: string | null; state: 'active' | 'used_up' | 'expired' | 'ended' | 'off'; created_at: string; ended_at: string | null };
  };
  'POST /api/v1/promocode/': {
    body: { promo_code: string };
    answer: { status: boolean };
  };
  'POST /api/v1/reconciliation/runs': {
    answer: { id: number; state: 'waiting' | 'running' | 'done' | 'failed'; asked_by: string | null; from: string | null; to: string | null; started_at: string; finished_at: string | null; figures: Record<string, { ours: { count: number; cents: number }; theirs: { count: number; cents: number } }>; found: number };
  };
  'POST /api/v1/seasons/{id}/next': {
    params: { id: number | string };
    body: { season: { name: string; first_day: string; last_day: string }; keep_numbers?: boolean | undefined; new_cards?: boolean | undefined; ask_consent?: boolean | undefined };
    answer: { season_id: number; status: 'running' | 'finished'; done: number; total: number };
  };
  'POST /api/v1/talk-to-expert': {
    body: { user: { first_name: string; last_name: string; email: string; phone_number: string; company_name: string; question: string } };
    answer: { message: string };
  };
  'POST /api/v1/talk-to-expert/': {
    body: { user: { first_name: string; last_name: string; email: string; phone_number: string; company_name: string; question: string } };
    answer: { message: string };
  };
  'POST /api/v1/teams/{id}/allowances': {
    params: { id: number | string };
    body: { photos: number; sheet_id?: number | string | null | undefined; ends_on?: string | null | undefined; athlete_ids?: readonly (number | string)[] | undefined };
    answer: { given: number };
  };
  'POST /api/v1/watches': {
    body: { email: string; child?: number | string | undefined; team_id?: number | string | undefined; number?: string | undefined };
    answer: { message: string };
  };
  'POST /api/v1/webhook_endpoints/{id}/deliveries/{deliveryId}/replay': {
    params: { id: number | string; deliveryId: number | string };
    answer: { id: number; event_id: string; type: string; organization_id: number; organization_name: string; occurred_at: string; state: 'waiting' | 'delivered' | 'failed'; attempts: number; attempted_at: string | null; status: number | null; duration_ms: number | null; answer: string | null; next_attempt_at: string | null };
  };
  'POST /api/v1/webhook_endpoints/{id}/replay_failed': {
    params: { id: number | string };
    answer: { replayed: number };
  };
  'POST /api/v1/webhook_endpoints/{id}/secret': {
    params: { id: number | string };
    answer: { webhook_endpoint: { id: number; organization_id: number; url: string; events: ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[]; of_affiliates: boolean; active: boolean; failing_since: string | null; paused_at: string | null; former_secret_until: string | null; created_at: string }; secret: string };
  };
  'POST /api/v1/webhook_endpoints/{id}/test': {
    params: { id: number | string };
    answer: { id: number; event_id: string; type: string; organization_id: number; organization_name: string; occurred_at: string; state: 'waiting' | 'delivered' | 'failed'; attempts: number; attempted_at: string | null; status: number | null; duration_ms: number | null; answer: string | null; next_attempt_at: string | null };
  };
  'POST /api/v1/webhooks/stripe': {
    answer: { received: true };
  };
  'POST /login': {
    body: { user: { email: string; password: string } };
    answer: ({ id: number; first_name: string; last_name: string; email: string; role_id: number; email_proven: boolean; organizations: ({ id: number; name: string; domain_name: string; kind: string; parent_organization_id: number | null; parent_organization: { id: number; name: string; domain_name: string } | null; free_tier: boolean; role: number })[] })[];
  };
  'POST /logout': {
    answer: null;
  };
  'POST /password': {
    body: { user: { email: string } };
    answer: object;
  };
  'POST /sandbox/tokens': {
    body: { number: string; exp_month: number | string; exp_year: number | string; cvc: string; zip: string };
    answer: { id: string; card: { brand: string; last4: string; exp_month: number; exp_year: number } };
  };
  'POST /signup/': {
    body: { user: { first_name: string; last_name: string; email: string; password: string; zip?: string | null | undefined; tax_id?: string | null | undefined }; affiliateInfo: { affiliateOrg: string; affiliateName?: string | undefined; domain_name?: string | undefined }; promoCode?: string | null | undefined; org?: { id: number | string } | null | undefined; freeTier?: boolean | undefined; bulk_upload?: boolean | undefined; client_key?: string | undefined; agreeToTerms?: unknown | undefined; confirmAgeAndPlace?: unknown | undefined; stripe_token?: null | string | { id: string } | { token: { id: string } } | undefined };
    answer: ({ id: number; first_name: string; last_name: string; email: string; role_id: number; email_proven: boolean; organizations: ({ id: number; name: string; domain_name: string; kind: string; parent_organization_id: number | null; parent_organization: { id: number; name: string; domain_name: string } | null; free_tier: boolean; role: number })[] })[];
  };
  'PUT /api/v1/affiliates/': {
    answer: null;
  };
  'PUT /api/v1/affiliates/{id}': {
    params: { id: number | string };
    body: { affiliate: { id?: number | string | null | undefined; name?: string | undefined; contact_name?: string | undefined; domain_name?: string | undefined; contact_email?: string | null | undefined; contact_phone_number?: string | null | undefined; billing_name?: string | null | undefined; billing_address?: string | null | undefined; billing_email?: string | null | undefined; billing_city?: string | null | undefined; billing_state?: string | null | undefined; billing_zip?: string | null | undefined; billing_phone_number?: string | null | undefined; tax_id?: string | null | undefined; default_photo_price?: number | undefined; primary_color?: string | undefined; tablet_display_url?: string | null | undefined; mobile_display_url?: string | null | undefined; logo_url?: string | null | undefined; watermark_url?: string | null | undefined; home_image_url?: string | null | undefined; tablet_display_image_url?: string | null | undefined; mobile_display_image_url?: string | null | undefined; watermark_text?: string | null | undefined; watermark_placement?: 'tiled' | 'centred' | undefined; watermark_strength?: 'light' | 'normal' | 'strong' | undefined; time_zone?: 'America/New_York' | 'America/Chicago' | 'America/Denver' | 'America/Phoenix' | 'America/Los_Angeles' | 'America/Anchorage' | 'America/Adak' | 'Pacific/Honolulu' | 'America/Puerto_Rico' | 'Pacific/Guam' | 'Pacific/Pago_Pago' | undefined; can_add_custom_payment?: boolean | undefined; processor_info?: { stripe_pk?: string | null | undefined; stripe_sk?: string | null | undefined } | null | undefined; password?: string | null | undefined; confirm_password?: string | null | undefined }; user_id?: number | string | null | undefined };
    answer: ({ id: number; name: string; kind: 'root' | 'organization' | 'affiliate' | 'chapter'; domain_name: string; parent_organization_id: number | null; logo_url: string | null; home_image_url: string | null; tablet_display_image_url: string | null; tablet_display_url: string | null; mobile_display_image_url: string | null; mobile_display_url: string | null; primary_color: string; secondary_color: '#FFFFFF'; default_photo_price: number; free_tier: boolean; can_add_custom_payment: boolean; processor_info: { stripe_pk: string | null; stripe_sk: null; stripe_sk_set: boolean; stripe_sk_last4: string | null }; contact_email: string | null; contact_phone_number: string | null; billing_name: string | null; billing_address: string | null; billing_email: string | null; billing_city: string | null; billing_state: string | null; billing_zip: string | null; billing_phone_number: string | null; tax_id: string | null; contact_name: string | null; time_zone: string; watermark_url: string | null; watermark_text: string | null; watermark_placement: 'tiled' | 'centred'; watermark_strength: 'light' | 'normal' | 'strong'; user_details: ({ id: number; first_name: string; last_name: string; email: string })[] })[];
  };
  'PUT /api/v1/affiliates/{id}/coupons/{couponId}': {
    params: { id: number | string; couponId: number | string };
    body: { coupon: { kind?: 'percent' | 'amount' | 'photos' | undefined; value?: number | undefined; code?: string | null | undefined; max_uses?: number | null | undefined; max_per_person?: number | null | undefined; minimum?: number | null | undefined; first_day?: string | null | undefined; last_day?: string | null | undefined; gallery_ids?: readonly (number | string)[] | null | undefined; sheet_ids?: readonly (number | string)[] | null | undefined } };
    answer: { id: number; code: string; kind: 'percent' | 'amount' | 'photos'; value: number; max_uses: number | null; max_per_person: number | null; minimum: number; first_day: string | null; last_day: string | null; gallery_ids: (number)[] | null; sheet_ids: (number)[] | null; state: 'active' | 'waiting' | 'used_up' | 'expired' | 'ended'; uses: number; sold: number; saved: number; created_at: string; ended_at: string | null; warnings: (string)[] };
  };
  'PUT /api/v1/affiliates/{id}/credit': {
    params: { id: number | string };
    body: { credit: { active: boolean; amounts: readonly ({ amount: number; bonus?: number | undefined })[]; bonus_until?: string | null | undefined } };
    answer: { active: boolean; amounts: ({ amount: number; bonus: number })[]; bonus_until: string | null };
  };
  'PUT /api/v1/affiliates/{id}/plan/renewal': {
    params: { id: number | string };
    body: { renews: boolean };
    answer: { plan: 'free' | 'premium' | 'enterprise'; subscription: { price: number; paid_until: string; renews: boolean; past_due: boolean; card_brand: string | null; card_last4: string | null } | null };
  };
  'PUT /api/v1/affiliates/{id}/roster_settings': {
    params: { id: number | string };
    body: { settings: { mode?: 'numbers' | 'private' | 'off' | undefined; unknown_consent?: 'show' | 'family' | 'hide' | undefined; consent_yearly?: boolean | undefined; hold_new_photos?: boolean | undefined }; not_published?: number | undefined };
    answer: { mode: 'numbers' | 'private' | 'off'; unknown_consent: 'show' | 'family' | 'hide'; consent_yearly: boolean; hold_new_photos: boolean; chosen: boolean; not_published: number; hidden: number; shown: number };
  };
  'PUT /api/v1/affiliates/{id}/takedown_mode': {
    params: { id: number | string };
    body: { mode: 'hide_first' | 'review' };
    answer: { mode: 'hide_first' | 'review' };
  };
  'PUT /api/v1/affiliates/{id}/takedowns/{takedownId}': {
    params: { id: number | string; takedownId: number | string };
    body: { decision: 'hide' | 'keep' | 'delete'; note?: string | undefined };
    answer: { id: number; state: 'open' | 'hidden' | 'kept' | 'deleted'; organization_id: number; gallery: { id: number; name: string; affiliate: string }; photo: { id: number; name: string; image_url: string | null; width: number | null; height: number | null; show_in_gallery: boolean; removed: boolean; sales_count: number }; reason: string | null; contact: string | null; guardian: boolean; hidden_first: boolean; asked_at: string; decided_at: string | null; decided_by: string | null; note: string };
  };
  'PUT /api/v1/athletes/{id}': {
    params: { id: number | string };
    body: { athlete: { first_name?: string | undefined; last_name?: string | undefined; consent?: 'yes' | 'family' | 'no' | 'unknown' | undefined; external_id?: string | null | undefined; entries?: readonly ({ team_id: number | string; number?: string | null | undefined })[] | undefined; family_emails?: readonly (string)[] | undefined; leave_teams?: readonly (number | string)[] | undefined }; seen?: { first_name?: string | undefined; last_name?: string | undefined; consent?: 'yes' | 'family' | 'no' | 'unknown' | undefined; external_id?: string | null | undefined } | undefined };
    answer: { athlete: { id: number; first_name: string | null; last_name: string | null; external_id: string | null; entries: ({ team_id: number; team: string; season_id: number; number: string | null })[]; consent: 'yes' | 'family' | 'no' | 'unknown'; families: number; card_opened: boolean; devices: number; photo_count: number; family_emails: (string)[]; merges: ({ athlete_id: number; name: string })[] }; warnings: (string)[]; hidden: number; shown: number };
  };
  'PUT /api/v1/athletes/{id}/orders/{orderId}': {
    params: { id: number | string; orderId: number | string };
    body: { of_family: boolean };
    answer: { orders: ({ id: number; sold_at: string; total: number; of_family: boolean })[] };
  };
  'PUT /api/v1/contributor/photos/{photoId}/numbers': {
    params: { photoId: number | string };
    query: { gallery_id: string | number | boolean };
    body: { numbers: readonly (string)[] };
    answer: { numbers: (string)[] };
  };
  'PUT /api/v1/galleries/{id}': {
    params: { id: number | string };
    body: { gallery: { name?: string | undefined; price_per_photo?: number | undefined; active?: boolean | undefined; photos_by?: string | undefined; is_private?: boolean | undefined; display_watermark?: boolean | undefined; display_goal?: boolean | undefined; goal_description?: string | null | undefined; target_goal?: '' | null | number | undefined; password_required?: boolean | undefined; password?: string | null | undefined; allow_public_contributions?: boolean | undefined; allow_voting?: boolean | undefined; price_sheet_id?: number | string | null | undefined }; seen?: { name?: string | undefined; price_per_photo?: number | undefined; photos_by?: string | undefined; is_private?: boolean | undefined; display_watermark?: boolean | undefined; display_goal?: boolean | undefined; goal_description?: string | undefined; target_goal?: number | undefined; password_required?: boolean | undefined; password?: string | null | undefined; allow_public_contributions?: boolean | undefined; allow_voting?: boolean | undefined; price_sheet_id?: number | null | undefined } | undefined };
    answer: ({ id: number; name: string; active: boolean; is_private: boolean; goal_description: string; target_goal: number; price_per_photo: number; photos_by: string; display_watermark: boolean; display_goal: boolean; password_required: boolean; password: string | null; unlock_key: string | null; allow_public_contributions: boolean; allow_voting: boolean; contribute_key: string | null; organization_id: number; organizationName: string; gallery_contributors: ({ id: number; name: string; email: string; site: string | null; instagram: string | null })[]; sales_rev: number | null; gallery_donation: number | null; sales_count: number | null; photo_count: number; price_sheet_id?: number | null; offers?: { sheet_id: number; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number; text: string } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[]; text: string } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number; text: string })[]; early_bird: { percent: number; last_day: string; text: string } | null; line: string }; created_at: string; updated_at: string })[];
  };
  'PUT /api/v1/galleries/{id}/contributions': {
    params: { id: number | string };
    body: { decision: 'approve' | 'reject' | 'wait'; ids?: readonly (number | string)[] | undefined; contributor_id?: number | string | undefined; up_to?: number | string | undefined };
    answer: { ids: (number)[]; note?: string; hidden?: (number)[] };
  };
  'PUT /api/v1/galleries/{id}/gallery_photos': {
    params: { id: number | string };
    body: { ids: readonly (number | string)[]; photo?: { show_in_gallery?: boolean | undefined; price_override?: null | number | undefined } | undefined; add_keywords?: readonly (string | { name: string })[] | undefined };
    answer: { updated: number };
  };
  'PUT /api/v1/galleries/{id}/gallery_photos/{photoId}': {
    params: { id: number | string; photoId: number | string };
    body: { photo: { show_in_gallery?: boolean | undefined; featured?: boolean | undefined; price_override?: null | number | undefined; name?: string | undefined } };
    answer: { id: number; gallery_id: number; galleryId: number; image_url: string; name: string; captured_at: string | null; width: number | null; height: number | null; thumbhash: string | null; status: 'processing' | 'ready' | 'failed'; problem: string | null; show_in_gallery: boolean; featured: boolean; sequence_index: number; likes: number; votes: number; liked: boolean; voted: boolean; keywords: ({ id: number; name: string })[]; numbers?: (string)[]; price_override: number | null; price: number; gallery_contributor_id?: number | null; contributor?: { id: number; name: string; email: string; site: string | null; instagram: string | null } | null; exif?: Record<string, string | number>; iptc?: Record<string, string | (string)[]>; sales_count?: number; sales_rev?: number; tags?: ({ athlete_id: number | null; name: string | null; team_id: number | null; team: string | null; number: string | null })[]; turning?: boolean; hidden_by?: ('takedown' | 'consent' | 'hold' | 'separator')[]; excepted?: boolean };
  };
  'PUT /api/v1/galleries/{id}/gallery_photos/{photoId}/exception': {
    params: { id: number | string; photoId: number | string };
    body: { reason: string };
    answer: { shown: boolean };
  };
  'PUT /api/v1/galleries/{id}/tags': {
    params: { id: number | string };
    body: { changes: readonly ({ photo_ids: readonly (number | string)[]; add?: readonly ({ athlete_id: number | string } | { team_id: number | string; number: string })[] | undefined; remove?: readonly ({ athlete_id: number | string } | { team_id: number | string; number: string })[] | undefined; checked?: boolean | undefined; how?: 'hand' | 'burst' | 'card' | 'keyword' | 'file' | undefined })[]; client_key: string };
    answer: { tagged: number; hidden: (number)[]; held: (number)[]; shown: (number)[]; refused: ({ photo_id: number; error: string })[]; undo: ({ photo_ids: (number)[]; add: ({ athlete_id: number } | { team_id: number; number: string })[]; remove: ({ athlete_id: number } | { team_id: number; number: string })[]; how?: 'hand' | 'burst' | 'card' | 'keyword' | 'file' })[] };
  };
  'PUT /api/v1/galleries/{id}/teams': {
    params: { id: number | string };
    body: { team_ids: readonly (number | string)[]; not_published?: number | undefined };
    answer: { teams: ({ id: number; name: string; short_name: string })[] };
  };
  'PUT /api/v1/orders/{id}': {
    params: { id: number | string };
    body: { order: { reconciled: boolean } };
    answer: { id: number; created_at: string; first_name: string; last_name: string; email_address: string; subtotal: number; additional_donation: string; tax: number; total: number; refunded: number; fee: number; share: number; disputed: number; net: number; credit_used?: number; status: 'paid' | 'partially_refunded' | 'refunded' | 'disputed'; stripe_response: string; reconciled: boolean; reconciled_at: string | null; payout_id: number | null; payout_status: string | null };
  };
  'PUT /api/v1/orders/{id}/gift': {
    params: { id: number | string };
    body: { email: string };
    answer: { message: string };
  };
  'PUT /api/v1/organizations/{id}/tax_rates': {
    params: { id: number | string };
    body: { state?: string | undefined; zip_prefix?: string | undefined; rate: number; jurisdiction: string };
    answer: { state: string; zip_prefix: string; rate: number; jurisdiction: string };
  };
  'PUT /api/v1/organizations/{id}/terms': {
    params: { id: number | string };
    body: { terms: { plan?: 'free' | 'premium' | 'enterprise' | undefined; keeps_percent?: number | undefined; takes_promo_codes?: boolean | undefined; reports_buyer_columns?: boolean | undefined; shown_on_home_page?: boolean | undefined } };
    answer: { id: number; plan: 'free' | 'premium' | 'enterprise'; keeps_percent: number; takes_promo_codes: boolean; reports_buyer_columns: boolean; shown_on_home_page: boolean; subscription: { plan: string; status: 'active' | 'past_due' | 'ended'; paid_until: string; renews: boolean; price: number } | null };
  };
  'PUT /api/v1/price_sheets/{id}': {
    params: { id: number | string };
    body: { price_sheet: { name?: string | undefined; offers?: readonly ({ id?: number | string | undefined; kind: 'bundle'; photos: number; price: number } | { id?: number | string | undefined; kind: 'steps'; steps: readonly ({ from: number; price: number })[] } | { id?: number | string | undefined; kind: 'gallery_pass'; price: number } | { id?: number | string | undefined; kind: 'athlete_pass'; price: number })[] | undefined; own_prices_take_part?: boolean | undefined; early_bird?: { percent: number; last_day: string } | null | undefined; shared_with_children?: boolean | undefined }; seen?: { name?: string | undefined; version?: number | undefined; own_prices_take_part?: boolean | undefined; offers?: readonly ({ id: number; kind: 'bundle'; photos: number; price: number } | { id: number; kind: 'steps'; steps: readonly ({ from: number; price: number })[] } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number })[] | undefined; early_bird?: { percent: number; last_day: string } | null | undefined; shared_with_children?: boolean | undefined } | undefined; release?: boolean | undefined };
    answer: { id: number; organization_id: number; name: string; version: number; own_prices_take_part: boolean; offers: ({ id: number; kind: 'bundle'; photos: number; price: number } | { id: number; kind: 'steps'; steps: ({ from: number; price: number })[] } | { id: number; kind: 'gallery_pass' | 'athlete_pass'; price: number })[]; early_bird: { percent: number; last_day: string } | null; shared_with_children: boolean; archived: boolean; galleries: ({ id: number; name: string })[]; gallery_count: number; common_price: number | null; sold: { orders: number; photos: number; sales: number }; warnings: (string)[] };
  };
  'PUT /api/v1/promo_codes/{id}': {
    params: { id: number | string };
    body: { promo_code: { max_uses?: number | undefined; last_day?: string | null | undefined } };
    answer: { id: number; organization: { id: number; name: string; domain_name: string; time_zone: string }; code: string; uses: number; max_uses: number; last_day: string | null; state: 'active' | 'used_up' | 'expired' | 'ended' | 'off'; created_at: string; ended_at: string | null };
  };
  'PUT /api/v1/reconciliation/differences/{id}': {
    params: { id: number | string };
    body: { mine?: boolean | undefined; note?: string | undefined; state?: 'open' | 'explained' | undefined };
    answer: { id: number; kind: 'charge_missing_there' | 'charge_without_order' | 'orphan_charge' | 'amount_differs' | 'fee_differs' | 'refund_differs' | 'dispute_differs' | 'bank_payout_differs' | 'bank_payout_gone' | 'order_undecided' | 'free_order_charged' | 'report_differs' | 'broken_rule'; subject: string; order_id: number | null; organization: string | null; ours: string; theirs: string; difference: number | null; state: 'open' | 'explained' | 'closed'; owner: string | null; mine: boolean; note: string; first_seen_at: string; last_seen_at: string; closed_at: string | null };
  };
  'PUT /api/v1/refund_requests/{id}/decline': {
    params: { id: number | string };
    body: { note: string };
    answer: { id: number; order_id: number; amount: number | null; photos?: (number)[]; passes?: (number)[]; reason: string; state: 'open' | 'given' | 'declined'; asked_by: string | null; asked_at: string; decided_by: string | null; decided_at: string | null; note: string };
  };
  'PUT /api/v1/seasons/{id}': {
    params: { id: number | string };
    body: { season: { name?: string | undefined; first_day?: string | undefined; last_day?: string | undefined } };
    answer: { id: number; name: string; first_day: string; last_day: string; current: boolean; teams: number; athletes: number };
  };
  'PUT /api/v1/teams/{id}': {
    params: { id: number | string };
    body: { team: { name?: string | undefined; short_name?: string | undefined; color?: string | null | undefined } };
    answer: { id: number; season_id: number; name: string; short_name: string; color: string | null; athletes: number };
  };
  'PUT /api/v1/webhook_endpoints/{id}': {
    params: { id: number | string };
    body: { webhook_endpoint: { url?: string | undefined; events?: readonly ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[] | undefined; of_affiliates?: boolean | undefined; active?: boolean | undefined } };
    answer: { id: number; organization_id: number; url: string; events: ('order.paid' | 'order.refunded' | 'photo.ready' | 'photo.approved' | 'gallery.published' | 'payout.paid')[]; of_affiliates: boolean; active: boolean; failing_since: string | null; paused_at: string | null; former_secret_until: string | null; created_at: string };
  };
  'PUT /password': {
    body: { user: { password: string; reset_password_token: string } };
    answer: null;
  };
  'PUT /users/current/password': {
    body: { password: string };
    answer: null;
  };
}

/** The body of each message that webhooks send (docs/webhooks.md). */
export interface WebhookMessages {
  'order.paid': { type: 'order.paid'; version: 1; timestamp: string; organization_id: number; data: { order_id: number; currency: 'USD'; subtotal: number; tax: number; donation: number; total: number; donation_gallery_id: number | null; paid_at: string; photo_count: number; photos: ({ photo_id: number; gallery_id: number; price: number })[]; passes?: ({ pass_id: number; kind: 'gallery_pass' | 'athlete_pass'; gallery_id: number | null; price: number; valid_until: string })[] } };
  'order.refunded': { type: 'order.refunded'; version: 1; timestamp: string; organization_id: number; data: { order_id: number; currency: 'USD'; refund: number; refunded_so_far: number; total: number; refunded_in_full: boolean } };
  'photo.ready': { type: 'photo.ready'; version: 1; timestamp: string; organization_id: number; data: { photo_id: number; gallery_id: number; name: string; width: number; height: number; contributed: boolean; waits_for_review: boolean } };
  'photo.approved': { type: 'photo.approved'; version: 1; timestamp: string; organization_id: number; data: { photo_id: number; gallery_id: number; name: string } };
  'gallery.published': { type: 'gallery.published'; version: 1; timestamp: string; organization_id: number; data: { gallery_id: number; name: string; photo_count: number; price_per_photo: number; password_required: boolean } };
  'payout.paid': { type: 'payout.paid'; version: 1; timestamp: string; organization_id: number; data: { payout_id: number; currency: 'USD'; amount: number; reference: string; order_count: number; sales_from: string | null; sales_to: string | null; paid_at: string } };
  'webhook.test': { type: 'webhook.test'; version: 1; timestamp: string; organization_id: number; data: { message: string } };
}

/**
 * The site map: every page address and its file, in the specification's order (P§2.1, P§2.2, A§2).
 * A line appears together with its page.
 */
import { index, route, type RouteConfig } from '@react-router/dev/routes';

const room = (file: string) => `features/${file}.page.tsx`;

export default [
  index(room('marketing/home')),
  route('why', room('marketing/why')),
  route('support', room('marketing/support')),
  route('customerlicense', room('marketing/customer-license')),
  route('user-agreement', room('marketing/user-agreement')),
  route('privacy', room('marketing/privacy')),
  route('terms-of-use', room('marketing/terms-of-use'), { id: 'Terms' }),
  route('pricing', room('marketing/pricing')),
  route('contact', room('marketing/contact')),
  route('talk-to-expert', room('marketing/talk-to-expert')),
  route('login', room('accounts/login')),
  route('forgot-password', room('accounts/forgot-password')),
  route('update-password', room('accounts/update-password')),
  route('password', room('accounts/password')),
  route('logout', room('accounts/logout')),
  route('sign-up', room('accounts/sign-up')),
  route('find-my-order', room('orders/find-my-order')),
  route('admin-report', room('reports/admin-report')),
  route('404', room('marketing/not-found')),
  route('contributor', room('contributors/contributor')),
  route('admin/audit-log', room('audit/audit-log')),
  route('admin/promo-codes', room('billing/promo-codes')),
  route('admin/organizations', room('organizations/organization-list')),
  route('new-org', room('organizations/new-org')),
  route('admin/refunds', room('orders/refunds')),
  route('admin/pay-outs', room('payouts/pay-outs')),
  route(':affiliate', room('organizations/affiliate'), { id: 'affiliate' }, [
    index(room('galleries/affiliate-home')),
    route('dashboard', room('galleries/dashboard')),
    route('report', room('reports/report')),
    route('orders', room('orders/order-list')),
    route('statements', room('reports/statements')),
    route('statements/:month', room('reports/statement')),
    route('activity', room('audit/activity')),
    route('create-gallery', room('galleries/create-gallery')),
    route('create-bulk-users', room('bulk-accounts/create-bulk-users')),
    route('gallery/:id/edit', room('galleries/edit-gallery')),
    route('gallery/:id/review', room('contributors/review')),
    route('gallery/:id', room('galleries/public-gallery'), [route('photo/:photo', room('photos/photo'))]),
    route('gallery/:id/photo/:photo/hide', room('takedowns/ask-to-hide')),
    route('takedowns', room('takedowns/takedowns')),
    route('settings', room('organizations/settings')),
    route('edit-bulk-users', room('organizations/edit-accounts')),
    route('user/:id/:domainName/:pId/edit', room('organizations/single-edit')),
    route('upgrade-account', room('billing/upgrade-account')),
    route('checkout', room('orders/checkout')),
    route('order/:id', room('orders/order')),
  ]),
  route('*', room('marketing/not-found'), { id: 'anything-else' }),
] satisfies RouteConfig;
